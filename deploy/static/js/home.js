// Keep the live matches on the home page current: poll the part that changes and replace it. If it
// is of another release than the page, the page is loaded anew.

import {oneAtATime} from "./polling.js";

const EVERY = 5000, HIDDEN = 60000, SLOWEST = 60000; // ms
const PARTS = ["air-head", "air"];

const air = (page) => page.getElementById("air").dataset;
let fails = 0;
let timer = 0;

/** Replace the parts by the fresh ones; the focus stays on the link that had it. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  if (air(fresh).release !== air(document).release) return location.reload();
  const held = document.activeElement?.closest("#air a")?.getAttribute("href");
  for (const id of PARTS) document.getElementById(id).replaceWith(fresh.getElementById(id));
  if (held) document.querySelector(`#air a[href="${CSS.escape(held)}"]`)?.focus({preventScroll: true});
}

async function ask() {
  const headers = {"If-None-Match": air(document).tag};
  const answer = await fetch("?part=air", {headers, cache: "no-store", signal: AbortSignal.timeout(15000)});
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(`${answer.status}`);
  show(await answer.text());
}

const follow = oneAtATime(async () => {
  clearTimeout(timer);
  try {
    await ask();
    fails = 0;
  } catch {
    fails += 1;
  }
  const pause = document.hidden ? HIDDEN : EVERY;
  timer = setTimeout(follow, Math.min(SLOWEST, pause * 2 ** fails));
});

document.addEventListener("visibilitychange", () => document.hidden || follow());
window.addEventListener("online", follow);
timer = setTimeout(follow, EVERY);
