// The minute of a slow player, and a screen that stays on.

import {word} from "./words.js";

let ticking = 0;

/** Count the minute down from what the server said was left; only then may it be said to be over. */
export function runClock(root) {
  clearInterval(ticking);
  const clock = root.querySelector("[data-left]");
  if (!clock) return;
  const end = Date.now() + 1000 * Number(clock.dataset.left);
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    clock.querySelector(".num").textContent = left || word("Time!");
    clock.classList.toggle("over", left === 0);
    clock.disabled = left > 0;
    if (!left) clearInterval(ticking);
  };
  ticking = setInterval(tick, 250);
  tick();
}

/** Keep the screen on while the logger is looked at, where the browser can. */
export async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  await navigator.wakeLock?.request("screen").catch(() => null);
}
