// What the search dialog of every page finds while one types.

let asking;

/** Show below the field of a dialog what the search page at `href` finds for it. */
export function find(dialog, input, href) {
  const found = dialog.appendChild(document.createElement("div"));
  found.setAttribute("aria-live", "polite");
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => look(href, input.value, found), 150);
  };
  if (input.value) later();
  input.addEventListener("input", later);
  dialog.addEventListener("keydown", (event) => step(event, dialog));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

/** Show the hits for a text; an earlier request that is still pending is aborted. */
async function look(href, text, found) {
  asking?.abort();
  asking = new AbortController();
  try {
    const answer = await fetch(`${href}?part=1&q=${encodeURIComponent(text)}`, {signal: asking.signal});
    if (answer.ok) found.innerHTML = await answer.text();
  } catch { /* aborted, or no network: Enter still opens the search page */ }
}

/** Move the focus with the arrow keys from the field to the hits and between them. */
function step(event, dialog) {
  const by = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (!by) return;
  const stops = [...dialog.querySelectorAll("input, a")];
  stops[(stops.indexOf(document.activeElement) + by + stops.length) % stops.length]?.focus();
  event.preventDefault();
}
