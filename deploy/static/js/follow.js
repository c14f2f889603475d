// A page that nobody touches: it loads itself anew, or the next screen, and shows what came.
// Without us it is loaded by the browser. What can not be had is asked for again later.

import {word} from "./words.js";

const part = () => document.querySelector("[data-every]");
let held = false;

async function turn() {
  const old = part();
  try {
    const answer = await fetch(old.dataset.next ?? location.href, {cache: "no-cache"});
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(old.id);
    if (!fresh || held) return;
    old.replaceWith(fresh);
    ready();
  } catch { /* no network: what stands there stays */ }
}

function ready() {
  const button = document.querySelector("[data-pause]");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      held = !held;
      button.textContent = held ? word("Go on") : word("Stay here");
    });
  }
  tick();
}

/** Write how much of a round's time is left. */
function tick() {
  const clock = document.querySelector("[data-left]");
  if (!clock) return;
  const left = Math.max(0, Math.round((new Date(clock.dateTime) - Date.now()) / 1000));
  clock.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : word("Time");
}

ready();
setInterval(tick, 1000);
(function wait() {
  const seconds = Number(part()?.dataset.every);
  if (seconds) setTimeout(async () => { if (!held) await turn(); wait(); }, seconds * 1000);
})();
