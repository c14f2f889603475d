// The countdown of a slow player, and the screen's wake lock.

import {word} from "./words.js";

let ticking = 0;

/** Count down from the seconds the server says are left; only at zero may the time be called over. */
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

/** Keep the screen on while the logger is visible, if the browser supports it. */
export async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  await navigator.wakeLock?.request("screen").catch(() => null);
}
