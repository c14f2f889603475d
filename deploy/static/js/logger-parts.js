// Helpers for the logger's modules: elements, tap feedback, requests to the server.

const LONGEST = 20_000; // ms until a request is aborted: a lost network does not always report itself

/** Fetch with a timeout. */
export const ask = (url, given = {}) => fetch(url, {signal: AbortSignal.timeout(LONGEST), ...given});

/** POST a body as JSON. */
export const tell = (url, body, headers) =>
  ask(url, {method: "POST", headers: {"Content-Type": "application/json", ...headers}, body: JSON.stringify(body)});

export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Run `work` once the current changes are painted. */
export const afterPaint = (work) => requestAnimationFrame(() => setTimeout(work));

const LIFTS = 50, HOLDS = 1000; // ms from pointerup to its click, and until a press is no longer a tap
let touched = 0; // a finger counts as down until then
const touch = (ms) => () => { touched = performance.now() + ms; };
addEventListener("pointerdown", touch(HOLDS), true);
for (const over of ["pointerup", "pointercancel"]) addEventListener(over, touch(LIFTS), true);

/** Resolve once no finger is down, lest its click hit what appears under it. */
export async function lifted() {
  while (performance.now() < touched) await new Promise((resolve) => setTimeout(resolve, LIFTS / 2));
}

/** Highlight what was tapped for one frame, then call `then`: feedback comes before the work. */
export function light(key, then) {
  key?.classList.add("lit");
  afterPaint(() => {
    key?.classList.remove("lit");
    then();
  });
}
