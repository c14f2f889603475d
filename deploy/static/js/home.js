// Keep the live matches on the home page current: poll the part that changes and replace it.

import {oneAtATime} from "./polling.js";

const EVERY = 5000, HIDDEN = 60000, SLOWEST = 60000; // ms
const PARTS = ["air-head", "air"];

const tag = () => document.getElementById("air").dataset.tag;
let fails = 0;
let timer = 0;

/** Replace the parts by the fresh ones; the focus stays on the link that had it. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const held = document.activeElement?.closest("#air a")?.getAttribute("href");
  for (const id of PARTS) document.getElementById(id).replaceWith(fresh.getElementById(id));
  if (held) document.querySelector(`#air a[href="${CSS.escape(held)}"]`)?.focus({preventScroll: true});
}

async function ask() {
  const headers = {"If-None-Match": tag()};
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
