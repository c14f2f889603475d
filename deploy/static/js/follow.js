// An unattended page (a wall display): it reloads itself, or loads the next screen, in place.
// Without JavaScript the browser reloads it. A failed request is repeated at the next interval. After
// a release the whole page is loaded, with its scripts and styles.

import {word} from "./words.js";

const part = () => document.querySelector("[data-every]");
const keys = (screen) => [...screen.querySelectorAll("a, button")];
const wide = matchMedia("(min-width: 64rem)");
const SMALLEST = 50; // percent of the size that lines have where all of them fit
let held = false;
let end = 0; // of the round, by this device's clock, which may be wrong

async function turn() {
  const old = part();
  try {
    const answer = await fetch(old.dataset.next ?? location.href, {cache: "no-cache", signal: AbortSignal.timeout(15000)});
    if (!answer.ok) throw new Error(`${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(old.id);
    if (!fresh || held) return;
    if (fresh.dataset.release !== old.dataset.release) return location.replace(old.dataset.next ?? location.href);
    const focused = keys(old).indexOf(document.activeElement);
    old.replaceWith(fresh);
    ready();
    keys(fresh)[focused]?.focus();
  } catch {
    old.querySelector("#cut").hidden = false;
  }
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
  end = Date.now() + 1000 * Number(document.querySelector("[data-left]")?.dataset.left);
  tick();
  fit();
}

/**
 * Make the lines of a wide screen as small as it takes to show them all: nobody scrolls a wall.
 * Where that would be too small to read, the longest lines are cut short.
 */
function fit() {
  const lines = document.querySelector(".screen-lines");
  const page = document.documentElement;
  if (!lines) return;
  for (const tight of [false, true]) {
    lines.classList.toggle("tight", tight);
    for (let size = 100; size >= SMALLEST; size -= 5) {
      lines.style.setProperty("--fit", size / 100);
      if (!wide.matches || page.scrollHeight <= page.clientHeight) return;
    }
  }
}

/** Write how much time the round has left. */
function tick() {
  const clock = document.querySelector("[data-left]");
  if (!clock) return;
  const left = Math.max(0, Math.round((end - Date.now()) / 1000));
  clock.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : word("Time");
}

ready();
document.fonts.addEventListener("loadingdone", fit);
addEventListener("resize", fit);
setInterval(tick, 1000);
(function wait() {
  const seconds = Number(part()?.dataset.every);
  if (seconds) setTimeout(async () => { if (!held) await turn(); wait(); }, seconds * 1000);
})();
