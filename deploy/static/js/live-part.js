// A page with a live part: poll it with its ETag, and replace it once it has changed. Without
// JavaScript the page stays as it was loaded. Nothing is requested while the page is hidden.
// Where the part names a stream (data-stream), its events say when to poll. Sections with input
// are left alone, except for what stands apart from it in them (data-apart). A part of another release than the page does not fit its scripts and styles: the
// page is loaded anew, once no section is in use; as it is where the part is gone, which then says so.

import {oneAtATime} from "./polling.js";

const EVERY = 5000, SLOWEST = 60000; // ms

const part = () => document.querySelector("[data-live]");
const said = document.createElement("p");
said.className = "sr";
said.setAttribute("role", "status");
document.querySelector("main").append(said);
let fails = 0;
let timer = 0;
let stream = null;
let refused = 0; // no new stream is opened until then, ms
let told = ""; // the tag of the part announced last
let waiting = false; // whether a section in use still has to be replaced
const touched = new WeakSet(); // sections, and what stands apart in them, with input

/** Return a key of a details element: its id, else its index in the nearest ancestor with one. */
function key(each) {
  if (each.id) return each.id;
  const place = each.parentElement.closest("[id]");
  return `${place.id} ${[...place.querySelectorAll("details")].indexOf(each)}`;
}

const apart = (section) => [...section.querySelectorAll("[data-apart]")];

/** Whether a section is being filled in or pressed; it must not be replaced until that is over. */
const isUsed = (section) =>
  touched.has(section) || section.matches(":active") || Boolean(section.querySelector("form :focus"))
  || apart(section).some(isUsed);

const isInUse = (old) => [...old.children].some(isUsed);

/** Show the answer; the focused link keeps the focus, and open details stay open. */
function show(text) {
  const old = part();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(old.id);
  if (fresh.dataset.release !== old.dataset.release && !isInUse(old)) return location.reload();
  const link = document.activeElement?.closest(`#${old.id} a`)?.getAttribute("href");
  const summary = document.activeElement?.closest(`#${old.id} summary`);
  const held = summary && key(summary.parentElement);
  const open = new Set([...old.querySelectorAll("details[open]")].map(key));
  for (const each of fresh.querySelectorAll("details")) each.open ||= open.has(key(each));
  swap(old, fresh);
  if (link) part()?.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({preventScroll: true});
  if (held) [...part()?.querySelectorAll("details") ?? []].find(each => key(each) === held)?.querySelector("summary").focus({preventScroll: true});
  if (fresh.dataset.live !== told) said.textContent = fresh.dataset.said;
  told = fresh.dataset.live;
  const headline = document.getElementById("headline");
  if (headline) headline.textContent = fresh.dataset.said;
}

/** Swap in the fresh part except for sections in use; everything is requested again once those are left. */
function swap(old, fresh) {
  const used = [...old.children].filter(isUsed);
  waiting = used.length > 0;
  if (!waiting) return old.replaceWith(fresh);
  for (const each of [...old.children]) if (!used.includes(each)) each.remove();
  let next = old.firstElementChild;
  for (const each of [...fresh.children]) {
    const same = used.find(({id}) => id && id === each.id);
    if (same) {
      refresh(same, each);
      next = same.nextElementSibling;
    } else old.insertBefore(each, next);
  }
  old.dataset.live = "";
}

/** In a section in use, swap in what stands apart from what is being filled in. */
function refresh(section, fresh) {
  for (const each of apart(section)) {
    const other = fresh.querySelector(`#${each.id}`);
    if (other && !isUsed(each)) each.replaceWith(other);
  }
}

document.addEventListener("input", ({target}) => {
  const section = target.closest("[data-live] [data-apart], [data-live] > *");
  if (section) touched.add(section);
});
document.addEventListener("focusout", ({target}) => {
  const section = waiting && target.closest("form")?.closest("[data-live] > *");
  if (section && !touched.has(section)) setTimeout(follow);
});

async function ask() {
  const url = new URL(location.href);
  url.searchParams.set("part", "live");
  const headers = {"If-None-Match": part().dataset.live};
  const answer = await fetch(url, {headers, cache: "no-store", signal: AbortSignal.timeout(15000)});
  if (answer.status === 304) return;
  if (answer.status === 404 && !isInUse(part())) return location.reload();
  if (!answer.ok) throw new Error(`${answer.status}`);
  show(await answer.text());
}

const follow = oneAtATime(async () => {
  clearTimeout(timer);
  if (document.hidden || !part()) return;
  try {
    await ask();
    fails = 0;
  } catch {
    fails += 1;
  }
  document.getElementById("cut").hidden = fails < 2;
  listen();
  timer = setTimeout(follow, listened() ? SLOWEST : Math.min(SLOWEST, EVERY * 2 ** fails));
});

const listened = () => stream?.readyState === EventSource.OPEN && !fails;

/** Keep a stream open while the page is visible; after a refusal wait before opening another. */
function listen() {
  const at = part()?.dataset.stream;
  if (document.hidden || !at) {
    stream?.close();
    stream = null;
  } else if (!stream && Date.now() >= refused) {
    stream = new EventSource(at);
    stream.addEventListener("moved", follow);
    stream.addEventListener("open", () => fails && follow());
    stream.addEventListener("error", () => {
      if (stream?.readyState === EventSource.CLOSED) {
        stream = null;
        refused = Date.now() + SLOWEST * (1 + Math.random()); // jitter
      }
      if (!fails) follow(); // otherwise the timer polls: a lost stream fails every two seconds
    });
  }
}

listen();
document.addEventListener("visibilitychange", () => { listen(); follow(); });
window.addEventListener("online", follow);
timer = setTimeout(follow, EVERY);
