// The match page: it follows the log live, and can show any earlier moment.
//
// The state is in the DOM: #scene has data-version (the newest entry of the log as shown), data-last
// (the newest entry there is), data-stream (the address of the event stream, if any), data-at (set
// while a past moment is shown), data-wanted (the moment that is loading, if any), data-as (the
// viewpoint, if it is not the reader's own) and data-ended. To show a moment, dispatch `moment` on
// #scene; once it is shown, #scene dispatches `shown`. What comes from another release than the page
// (data-release) does not fit its scripts and styles: the page is loaded anew.

import {oneAtATime} from "./polling.js";
import {word} from "./words.js";

const scene = document.getElementById("scene");
const log = document.getElementById("log-lines");
const said = document.getElementById("said");
const eyes = scene.dataset.as ? `&as=${scene.dataset.as}` : "";
const PARTS = ["part-score", "part-last", "part-board"];
const FOCUSABLE = "a[href], button, summary, [tabindex]";
const EVERY = 3000, IDLE = 10000, ENDED = 30000, HIDDEN = 60000, REFUSED = 60000, LONG = 5 * 60000; // ms
const AFTER_END = 3; // polls at the usual pace after the end, because the seed is revealed just then

let timer = 0;
let fails = 0;
let over = 0; // polls since the end
let news = Date.now();
let stream = null;
let refused = 0; // no new stream is opened until then, ms

/** Request a part of this page; null if it has not changed. */
async function ask(query, tag = "") {
  const headers = tag ? {"If-None-Match": tag} : {};
  const answer = await fetch(`${location.pathname}?${query}${eyes}`, {headers, signal: AbortSignal.timeout(15000)});
  if (answer.status === 304) return null;
  if (!answer.ok) throw new Error(`${answer.status}`);
  const box = document.createElement("template");
  box.innerHTML = await answer.text();
  return {part: box.content.firstElementChild, tag: answer.headers.get("ETag") || ""};
}

/** Replace an element by another; the focus stays at the same place within it. */
function replace(old, fresh) {
  const held = old.contains(document.activeElement) ? [...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement) : -1;
  old.replaceWith(fresh);
  if (held < 0) return;
  const next = fresh.querySelectorAll(FOCUSABLE)[held] || fresh.closest("section")?.querySelector("h2");
  next?.focus({preventScroll: true});
}

const isOther = (moment) => moment.dataset.release !== scene.dataset.release;

function show(moment) {
  for (const id of PARTS) {
    const fresh = moment.querySelector(`#${id}`);
    const old = document.getElementById(id);
    if (fresh && !old.isEqualNode(fresh)) replace(old, fresh);
  }
  document.title = document.title.replace(/^.*(?= · )/, () => moment.dataset.title); // a name may hold a $
  document.querySelector(".topbar .here").textContent = moment.dataset.title;
  const last = Number(scene.dataset.last);
  const at = Number(moment.dataset.version);
  if (at < last) scene.dataset.at = at;
  else delete scene.dataset.at;
  document.getElementById("past").hidden = at >= last;
  mark(at);
  said.textContent = moment.dataset.said;
  scene.dispatchEvent(new CustomEvent("shown"));
}

function mark(at) {
  for (const line of log.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  document.getElementById(`entry-${at}`)?.setAttribute("aria-current", "true");
  for (const number of document.querySelectorAll("span[data-at]")) number.textContent = at;
  for (const number of document.querySelectorAll("span[data-last]")) number.textContent = scene.dataset.last;
}

const number = (element) => Number(element.id.split("-")[1]);

/** Insert a line or turn where it belongs, newest first; one that exists already is updated. */
function place(list, fresh, update) {
  const known = document.getElementById(fresh.id);
  if (known) return update(known, fresh);
  const below = [...list.children].find((child) => number(child) < number(fresh));
  if (below) below.before(fresh); // else it is older than all that is shown
}

function mergeTurn(known, fresh) {
  const list = known.querySelector("ol");
  for (const line of [...fresh.querySelectorAll("ol > li")].reverse()) place(list, line, replace);
  known.querySelector(".count").textContent = list.children.length;
}

function merge(changes) {
  scene.setAttribute("aria-busy", "true");
  const lines = changes.querySelector("#log-lines");
  if ("whole" in changes.dataset) log.replaceChildren(...lines.children);
  else for (const turn of [...lines.children].reverse()) place(log, turn, mergeTurn);
  replace(document.getElementById("part-track"), changes.querySelector("#part-track"));
  scene.dataset.version = scene.dataset.last = changes.dataset.last;
  const moment = changes.querySelector(".moment");
  if ("at" in scene.dataset) {
    mark(scene.dataset.at);
    said.textContent = word("Meanwhile: {said}", moment.dataset);
    scene.dispatchEvent(new CustomEvent("shown"));
  } else show(moment);
  scene.toggleAttribute("data-ended", "ended" in changes.dataset);
  over = 0;
  scene.removeAttribute("aria-busy");
}

/** Show the changes, unless newer ones arrived in the meantime. */
function take(changes, tag) {
  if (Number(changes.dataset.last) < Number(scene.dataset.version)) return;
  if (isOther(changes.querySelector(".moment"))) return location.reload();
  merge(changes);
  scene.dataset.tag = tag;
  news = Date.now();
}

async function poll() {
  try {
    const fresh = await ask(`after=${scene.dataset.version}`, scene.dataset.tag);
    fails = 0;
    if (fresh) take(fresh.part, fresh.tag);
  } catch {
    fails += 1;
  }
  document.getElementById("cut").hidden = fails < 2;
}

const follow = oneAtATime(async () => {
  clearTimeout(timer);
  await poll();
  if ("ended" in scene.dataset && !fails) over += 1;
  if (over >= AFTER_END) hush();
  else listen();
  timer = setTimeout(follow, pause());
});

/** Return the time to the next poll; it grows after the end, which may still be undone or corrected. */
function pause() {
  if (fails) return Math.min(30000, 1000 * 2 ** fails);
  if (over >= AFTER_END) return Math.min(LONG, ENDED * 2 ** (over - AFTER_END));
  if (document.hidden || stream?.readyState === EventSource.OPEN) return HIDDEN;
  return Date.now() - news > LONG ? IDLE : EVERY;
}

/** Keep a stream open while the page is visible; after a refusal poll instead for a while. */
function listen() {
  if (stream || Date.now() < refused || document.hidden || !scene.dataset.stream) return;
  stream = new EventSource(`${scene.dataset.stream}?after=${scene.dataset.version}${eyes}`);
  stream.addEventListener("changes", (event) => {
    const box = document.createElement("template");
    box.innerHTML = event.data;
    const changes = box.content.firstElementChild;
    take(changes, changes.dataset.tag);
    if ("ended" in scene.dataset) follow();
  });
  stream.addEventListener("moved", follow);
  stream.addEventListener("open", () => fails && follow());
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) {
      stream = null;
      refused = Date.now() + REFUSED * (1 + Math.random()); // jitter
    }
    if (!fails) follow(); // otherwise the timer polls: a lost stream fails every two seconds
  });
}

function hush() {
  stream?.close();
  stream = null;
}

async function go(at) {
  scene.setAttribute("aria-busy", "true");
  try {
    if (at > Number(scene.dataset.version)) await poll(); // the log as shown does not reach it yet
    const {part} = await ask(`at=${at}&part=moment`);
    if (isOther(part)) throw new Error("another release");
    show(part);
  } catch {
    location.search = `?at=${at}${eyes}`;
  } finally {
    scene.removeAttribute("aria-busy");
  }
}

scene.addEventListener("moment", async (event) => {
  const busy = "wanted" in scene.dataset;
  scene.dataset.wanted = event.detail;
  if (busy) return;
  for (let at = 0; at !== Number(scene.dataset.wanted); ) await go((at = Number(scene.dataset.wanted)));
  delete scene.dataset.wanted;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hush();
  else follow();
});
window.addEventListener("online", follow);
if ("ended" in scene.dataset) over = AFTER_END;
else listen();
timer = setTimeout(follow, pause());
