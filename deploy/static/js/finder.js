// The search dialog of every page.

import {word} from "./words.js";

let finder, asking;

/** Open the dialog; it searches at the address of the search page. */
export function open(href) {
  finder ??= document.body.appendChild(build(href));
  finder.showModal();
  finder.querySelector("input").select();
}

function build(href) {
  const dialog = document.createElement("dialog");
  dialog.className = "finder";
  dialog.setAttribute("aria-label", word("Search"));
  const form = dialog.appendChild(document.createElement("form"));
  form.action = href;
  form.setAttribute("role", "search");
  const input = form.appendChild(document.createElement("input"));
  Object.assign(input, {type: "search", name: "q", maxLength: 80, autocomplete: "off", placeholder: word("A name, or a code")});
  input.setAttribute("aria-label", word("Search"));
  const found = dialog.appendChild(document.createElement("div"));
  found.setAttribute("aria-live", "polite");
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => look(href, input.value, found), 150);
  });
  dialog.addEventListener("keydown", (event) => step(event, dialog));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
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
