// Progressive enhancements of every page; all pages work without them.

import {word} from "./js/words.js";

// Some time after the page has loaded, register the worker that serves the offline page.
setTimeout(() => navigator.serviceWorker?.register("/offline-worker.js").catch(() => {}), 3000);

// Dismiss a toast in place instead of reloading the page.
document.addEventListener("click", (event) => {
  const dismiss = event.target.closest("[data-dismiss]");
  if (!dismiss) return;
  event.preventDefault();
  dismiss.closest(".toast").remove();
});

// Go back to a form as it was left, instead of loading it anew.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-return]");
  if (link?.href !== document.referrer || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.back();
});

// Show print buttons, which need JavaScript.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Show buttons that copy a neighbour's text, where the browser can copy.
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const from = document.getElementById(button.dataset.copy);
    navigator.clipboard.writeText(from.textContent.trim()).then(
      () => say(word("Copied")),
      () => { getSelection().selectAllChildren(from); say(word("It could not be copied. It is selected: copy it by hand.")); },
    );
  });
}

// Rewrite times from the server's time zone to the reader's, including those inserted later. Clocks
// and dates are formatted by hand, because the first use of Intl takes a slow phone 60 ms.
const DAY = {day: "numeric", month: "short", year: "numeric"}, CLOCK = {hour: "2-digit", minute: "2-digit"};
const {lang} = document.documentElement, TONGUE = lang === "en" ? "en-GB" : lang;

const two = (number) => `${number}`.padStart(2, "0");
const clockOf = (then) => `${two(then.getHours())}:${two(then.getMinutes())}`;
const dayOf = (then) => `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;

/** Call `write` for a time element once, unless its datetime cannot be parsed. */
function once(time, write) {
  const then = new Date(time.dateTime);
  if (time.title || Number.isNaN(then.valueOf())) return;
  time.title = then.toUTCString();
  write(then, time.dateTime.startsWith(dayOf(then)), time.dateTime.slice(11, 16) === clockOf(then));
}

function localTimes(part) {
  for (const time of part.querySelectorAll?.("time[data-local]") ?? []) {
    once(time, (then, sameDay, sameClock) => {
      if (time.dataset.local === "clock") time.textContent = clockOf(then);
      else if (!sameDay || !sameClock) time.textContent = then.toLocaleString(TONGUE, {...DAY, ...CLOCK, timeZoneName: "short"});
    });
  }
  for (const time of part.querySelectorAll?.("time[data-there]") ?? []) addMine(time);
}

/** Add the reader's local time beside a time given in a venue's zone, if they differ. */
function addMine(time) {
  once(time, (then, sameDay, sameClock) => {
    if (sameDay && sameClock) return;
    const mine = sameDay ? clockOf(then) : then.toLocaleString(TONGUE, {...DAY, ...CLOCK});
    time.append(` · ${word("{time} your time", {time: mine})}`);
  });
}

localTimes(document);
new MutationObserver((changes) => {
  for (const {addedNodes} of changes) for (const part of addedNodes) localTimes(part);
}).observe(document.body, {childList: true, subtree: true});

/** Show a message in the toast region; it stays until the next one. */
export function say(text, kind = "") {
  const toast = document.createElement("div");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  document.getElementById("toasts").replaceChildren(toast);
}

// What htmx swaps in nowhere: refusals and failures. A form that selects its part of a page
// (hx-select) finds the reason there; any other is sent again as without scripts, which shows it.
// Whatever polls by itself stays quiet.
document.addEventListener("htmx:beforeSwap", ({detail}) => {
  const refused = [400, 409, 422].includes(detail.xhr.status);
  if (refused && detail.requestConfig.elt.matches("form[hx-select]")) Object.assign(detail, {shouldSwap: true, isError: false});
});

document.addEventListener("htmx:responseError", ({detail: {requestConfig: {elt, triggeringEvent}, xhr}}) => {
  if (!triggeringEvent) return;
  if (xhr.status >= 500) return say(word("The site could not do that now. Try it again."), "error");
  const form = elt.closest("form"), {name, value} = triggeringEvent.submitter ?? elt;
  if (!form) return location.assign(elt.href);
  const pressed = Object.assign(document.createElement("input"), {type: "hidden", name, value});
  if (name) form.append(pressed);
  form.submit();
  pressed.remove(); // whoever comes back presses another button
});

// Once a form is changed, what it showed before is out of date, so none of that can be sent.
document.addEventListener("change", ({target}) => {
  const form = target.closest("form[hx-select]");
  if (!form) return;
  for (const button of document.querySelectorAll(`${form.getAttribute("hx-target")} button`)) button.disabled = true;
});

document.addEventListener("htmx:sendError", ({detail}) => {
  if (detail.requestConfig.triggeringEvent) say(word("No network: nothing was sent. Try it again."), "error");
});

// Open search from anywhere with Ctrl-K, or a slash unless that is switched off. Without JavaScript
// search is a page of its own.
const link = document.querySelector("a[data-search]"), SLASH = "no-slash";
let finder;

/** Whether the slash is switched off; where nothing may be stored it is not. */
function slashIsOff() {
  try {
    return Boolean(localStorage.getItem(SLASH));
  } catch {
    return false;
  }
}

const typing = (target) => target.closest?.("input, select, textarea, [contenteditable]");

document.addEventListener("keydown", (event) => {
  const chord = (event.ctrlKey || event.metaKey) && event.key === "k";
  const slash = event.key === "/" && !typing(event.target) && !slashIsOff();
  if (!link?.checkVisibility() || !(chord || slash) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  open();
});

function open() {
  finder ??= document.body.appendChild(build());
  finder.showModal();
  finder.querySelector("input").select();
}

/** Build the dialog, ready to type in; the script that finds comes meanwhile. */
function build() {
  const dialog = document.createElement("dialog"), form = document.createElement("form"), input = document.createElement("input");
  dialog.className = "finder";
  dialog.setAttribute("aria-label", word("Search"));
  form.action = link.href;
  form.setAttribute("role", "search");
  Object.assign(input, {type: "search", name: "q", maxLength: 80, autocomplete: "off", placeholder: word("A name, or a code")});
  input.setAttribute("aria-label", word("Search"));
  form.append(input);
  dialog.append(form);
  import("./js/finder.js").then(({find}) => find(dialog, input, link.href), () => {});
  return dialog;
}

link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || location.pathname === link.pathname) return;
  event.preventDefault();
  open();
});

const keys = document.querySelector("[data-keys]");
if (keys) {
  const box = keys.querySelector("[data-slash]");
  box.checked = !slashIsOff();
  box.addEventListener("change", () => box.checked ? localStorage.removeItem(SLASH) : localStorage.setItem(SLASH, "1"));
  keys.hidden = false;
}
