// Small parts of the logger's page: elements, a light under the finger, a question to the server.

const LONGEST = 20_000; // ms until a question counts as unanswered: no network always says that it is gone

/** Ask the server something. */
export const ask = (url, given = {}) => fetch(url, {signal: AbortSignal.timeout(LONGEST), ...given});

/** Tell the server something, as JSON. */
export const tell = (url, body, headers) =>
  ask(url, {method: "POST", headers: {"Content-Type": "application/json", ...headers}, body: JSON.stringify(body)});

export function element(name, className = "", text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

/** Do something once what changed just now is on the screen. */
export const afterPaint = (work) => requestAnimationFrame(() => setTimeout(work));

const LIFTS = 50, HOLDS = 1000; // ms from a finger's end to its click, and until one rests, not taps
let touched = 0; // until when
const touch = (ms) => () => { touched = performance.now() + ms; };
addEventListener("pointerdown", touch(HOLDS), true);
for (const over of ["pointerup", "pointercancel"]) addEventListener(over, touch(LIFTS), true);

/** Return once no finger is down: it would not tap what comes under it. */
export async function lifted() {
  while (performance.now() < touched) await new Promise((resolve) => setTimeout(resolve, LIFTS / 2));
}

/** Light what was tapped: the first frame after a tap shows that alone, the rest follows it. */
export function light(key, then) {
  key?.classList.add("lit");
  afterPaint(() => {
    key?.classList.remove("lit");
    then();
  });
}
