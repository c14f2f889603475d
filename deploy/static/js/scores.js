// The scores of tables being played: ask for those of the round (data-scores) and write each where
// the page has it (data-score). Who plays where is followed by live-part.js, which may replace the
// page's part meanwhile. Without JavaScript they stay as they were loaded.

import {oneAtATime} from "./polling.js";

const EVERY = 15000, SLOWEST = 120000; // ms

const at = () => document.querySelector("[data-scores]")?.dataset.scores;
let tag = "";
let told = ""; // the last answer
let fails = 0;
let timer = 0;

async function ask(url) {
  const answer = await fetch(url, {headers: {"If-None-Match": tag}, cache: "no-store", signal: AbortSignal.timeout(15000)});
  if (answer.status !== 304) {
    if (!answer.ok) throw new Error(`${answer.status}`);
    told = await answer.text();
    tag = answer.headers.get("ETag") ?? "";
  }
  show(told); // unchanged too: the part replaced meanwhile may be of another moment
}

function show(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = new Map([...page.querySelectorAll("[data-score]")].map(each => [each.dataset.score, each.textContent]));
  for (const each of document.querySelectorAll("[data-score]")) {
    const score = fresh.get(each.dataset.score);
    if (score !== undefined && score !== each.textContent) each.textContent = score;
  }
}

const follow = oneAtATime(async () => {
  clearTimeout(timer);
  const url = at();
  if (!document.hidden && url) {
    try {
      await ask(url);
      fails = 0;
    } catch {
      fails += 1;
    }
  }
  timer = setTimeout(follow, Math.min(SLOWEST, EVERY * 2 ** fails));
});

document.addEventListener("visibilitychange", () => document.hidden || follow());
window.addEventListener("online", follow);
timer = setTimeout(follow, EVERY);
