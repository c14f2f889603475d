// A page whose living part is asked for by the tag it has: nothing comes until it is another.
// Without us the page stays as it was loaded. Nothing is asked while nobody looks.
// Where it has a stream (data-stream), that says when to ask.

const EVERY = 5000, SLOWEST = 60000; // ms

const part = () => document.querySelector("[data-live]");
const said = document.createElement("p");
said.className = "sr";
said.setAttribute("role", "status");
document.querySelector("main").append(said);
let fails = 0;
let timer = 0;
let stream = null;
let refused = 0; // until when a stream is not asked for, ms

/** Put what came in place; the focus stays on the link that had it, what was open stays open. */
function show(text) {
  const old = part();
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(old.id);
  const held = document.activeElement?.closest(`#${old.id} a`)?.getAttribute("href");
  const open = [...old.querySelectorAll("details")].map(each => each.open);
  fresh.querySelectorAll("details").forEach((each, n) => { each.open ||= open[n] ?? false; });
  old.replaceWith(fresh);
  if (held) fresh.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus({preventScroll: true});
  said.textContent = fresh.dataset.said;
  const headline = document.getElementById("headline");
  if (headline) headline.textContent = fresh.dataset.said;
}

async function ask() {
  const url = new URL(location.href);
  url.searchParams.set("part", "live");
  const headers = {"If-None-Match": part().dataset.live};
  const answer = await fetch(url, {headers, cache: "no-store", signal: AbortSignal.timeout(15000)});
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(`${answer.status}`);
  show(await answer.text());
}

async function follow() {
  clearTimeout(timer);
  if (document.hidden || !part()) return;
  try {
    await ask();
    fails = 0;
  } catch {
    fails += 1;
  }
  listen();
  timer = setTimeout(follow, listened() ? SLOWEST : Math.min(SLOWEST, EVERY * 2 ** fails));
}

const listened = () => stream?.readyState === EventSource.OPEN && !fails;

/** Listen while somebody looks; a stream that is refused is not asked for again for a while. */
function listen() {
  const at = part()?.dataset.stream;
  if (document.hidden || !at) {
    stream?.close();
    stream = null;
  } else if (!stream && Date.now() >= refused) {
    stream = new EventSource(at);
    stream.addEventListener("moved", follow);
    stream.addEventListener("error", () => {
      if (stream?.readyState === EventSource.CLOSED) {
        stream = null;
        refused = Date.now() + SLOWEST * (1 + Math.random()); // not all at once
      }
      follow();
    });
  }
}

listen();
document.addEventListener("visibilitychange", () => { listen(); follow(); });
window.addEventListener("online", follow);
timer = setTimeout(follow, EVERY);
