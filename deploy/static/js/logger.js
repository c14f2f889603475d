// The logger: two taps an act. The page's own forms say what may be recorded; this module sends
// them as JSON, each once however often it must be tried, and shows the page's next state.

import {Outbox} from "./logger-outbox.js";
import {moveFocus, visible} from "./logger-keys.js";

const root = document.getElementById("logger");
const find = (selector) => root.querySelector(selector);
const outbox = new Outbox(root.dataset.match, root.dataset.api);
let refused = null; // the act the server objected to, as it was sent
let busy = false;

// -- what is on the page --------------------------------------------------------------------

const head = () => find("#lg-head");
const FIELDS = JSON.parse(head().dataset.acts); // of each type of act, with the kind of each
const version = () => Number(head().dataset.version);
const token = () => find("[name=csrfmiddlewaretoken]")?.value ?? "";

/** Say what happened, as plain text with at most one button. */
function say(text, detail = "", button = null) {
  const told = document.createElement("p");
  told.className = "lg-told";
  const strong = document.createElement("strong");
  strong.textContent = text;
  told.append(strong, ` ${detail}`);
  find("#lg-said").replaceChildren(told, ...(button ? [button] : []));
}

function chip(text) {
  const sent = find("#lg-sent");
  sent.textContent = text;
  sent.hidden = !text;
}

/** Take the state of the page anew from the server; `query` chooses something beforehand. */
async function refresh(query = "", keepSaid = false) {
  const asked = new URLSearchParams(query);
  asked.set("part", "1");
  const answer = await fetch(`${root.dataset.table}?${asked}`, {credentials: "same-origin"});
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const byKeys = root.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  for (const id of ["lg-head", "lg-said", "lg-desk"]) {
    if (id === "lg-said" && keepSaid) continue;
    const [now, next] = [document.getElementById(id), page.getElementById(id)];
    for (const name of Object.keys(next.dataset)) now.dataset[name] = next.dataset[name];
    now.replaceChildren(...next.childNodes);
  }
  ready();
  if (byKeys) firstKey()?.focus();
}

function ready() {
  for (const pad of root.querySelectorAll(".lg-pad")) pad.hidden = false;
  layOut(find("#lg-step"));
  runClock();
}

/** Lay out both halves of a step before the finger comes: the one that waits rests out of sight. */
function layOut(step) {
  if (!step || !CSS.supports("content-visibility", "hidden")) return;
  step.dataset.laid = "";
  afterPaint(() => (step.dataset.laid = "rests"));
}

/** Do something once what changed just now is on the screen. */
const afterPaint = (work) => requestAnimationFrame(() => setTimeout(work));

const firstKey = () =>
  [...root.querySelectorAll(".lg-half, [data-first]")].find(visible) ?? find("[data-undo]");

// -- choosing a half ------------------------------------------------------------------------

/** Arm the attacker's half: the grid becomes the foe's gear. */
function arm(half) {
  const {card, end} = half.dataset;
  const step = find("#lg-step");
  find("#lg-armed").textContent = `${card} ${end.toUpperCase()}`;
  step.dataset.step = "against";
  step.toggleAttribute("data-unknown", "unknown" in half.dataset);
  fill(card, end);
}

/** Light what was tapped: the first frame after a tap shows that alone, the rest follows it. */
function light(key, then) {
  key?.classList.add("lit");
  afterPaint(() => {
    key?.classList.remove("lit");
    then();
  });
}

function disarm() {
  fill("", "");
  find("#lg-step").dataset.step = "with";
}

function fill(card, end) {
  for (const field of root.querySelectorAll("[data-fill]")) field.value = field.dataset.fill === "card" ? card : end;
}

/** Return the half that is armed, as a query that arms it again. */
function armed() {
  const [card, end] = ["card", "end"].map((name) => find(`[data-fill=${name}]`)?.value);
  const against = find("#lg-step")?.dataset.step === "against";
  return against ? new URLSearchParams({card, end}).toString() : "";
}

// -- acts from forms ------------------------------------------------------------------------

/** Return the act a form holds, in the exact types of the API; names that begin with `with` carry several. */
function actOf(form, button) {
  const given = new Map();
  const add = (name, value) => given.set(name, [...(given.get(name) ?? []), value]);
  for (const [name, value] of new FormData(form, button)) {
    if (!name.startsWith("with")) add(name, value);
    else for (const [part, inner] of new URLSearchParams(value)) add(part, inner);
  }
  const type = given.get("type")?.at(-1);
  const fields = FIELDS[type];
  if (!fields) return null;
  const act = {type};
  for (const [name, kind] of Object.entries(fields)) {
    if (name === "note") continue; // a reason goes beside the act
    const values = (given.get(name) ?? []).filter((value) => value !== "");
    if (values.length) act[name] = typed(kind, values);
  }
  return act;
}

function typed(kind, values) {
  const last = values.at(-1);
  if (kind === "number") return Number(last);
  if (kind === "flag") return last === "true";
  if (kind === "numbers") return values.map(Number).sort((a, b) => a - b);
  return kind === "texts" ? values : last;
}

// -- recording ------------------------------------------------------------------------------

/** Record an act: show it at once, send it, then show what the server made of it. */
async function record(act, {irregular = false, query = "", note = ""} = {}) {
  if (busy) return null;
  busy = true;
  root.setAttribute("aria-busy", "true");
  refused = null;
  const item = {id: crypto.randomUUID?.() ?? uuid(), act, after: version(), irregular, note};
  try {
    const receipt = await deliver(item);
    if (receipt) await refresh(query);
    return receipt;
  } catch {
    chip("reload");
    return null;
  } finally {
    busy = false;
    root.removeAttribute("aria-busy");
  }
}

/** Send an item until the server has answered it; null when it said no. */
async function deliver(item) {
  const answer = await outbox.send(item, token, (waiting) => chip(waiting ? "1 not sent" : ""));
  if (answer.ok) return answer.body;
  const problem = answer.body;
  if (problem.code === "moved-on") {
    await refresh();
    say("Someone else logged meanwhile.", "Look, and tap again.");
  } else if (problem.code === "irregular") {
    refused = item.act;
    say(problem.detail, clauseOf(problem), stoodButton());
  } else {
    say(problem.detail ?? "That was not recorded.", clauseOf(problem));
  }
  return null;
}

/** Return the clause a problem rests on, when its sentence does not name it. */
function clauseOf({detail = "", clause = ""}) {
  return detail.includes(clause) ? "" : clause;
}

function stoodButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn alarm";
  button.dataset.stood = "";
  button.textContent = "It stood: log it anyway";
  return button;
}

function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** SPIN: the site draws the foe's card, then spins its end; one tap, two acts. */
async function spin(form) {
  const attack = {...actOf(find("#lg-act"), null), spin: "server", target_end: "a"};
  const act = actOf(form, null);
  if (!act.foe) return say("Against whom?", "Choose a foe first.");
  if (act.type === "attacked") return record({...attack, foe: act.foe, target: act.target});
  say("The site draws…");
  const receipt = await record(act);
  if (receipt) await record({...attack, foe: act.foe, target: receipt.act.target});
}

// -- taps -----------------------------------------------------------------------------------

root.addEventListener("click", (event) => {
  const half = event.target.closest("a[data-card]");
  const link = event.target.closest("a[data-part]");
  const key = event.target.closest("[data-key]");
  if (event.ctrlKey || event.metaKey) return;
  if (half) {
    event.preventDefault();
    if (!half.matches(":focus-visible")) return light(half, () => arm(half));
    arm(half); // the next key may be pressed already
    firstKey()?.focus();
  } else if (event.target.closest("[data-cancel]")) {
    event.preventDefault();
    disarm();
  } else if (link) {
    event.preventDefault();
    refresh(new URL(link.href).search, true).catch(() => location.assign(link.href));
  } else if (key) {
    tapDot(key);
  } else if (event.target.closest("[data-stood]") && refused) {
    record(refused, {irregular: true});
  }
});

root.addEventListener("change", (event) => {
  event.target.closest("[popover][data-once], [data-once]")?.closest("[popover]")?.hidePopover();
});

root.addEventListener("submit", (event) => {
  const {target: form, submitter: button} = event;
  if (form.method !== "post" || !form.elements.type) return; // not an act: let the browser send it
  event.preventDefault();
  if (busy) return;
  light(button, () => submit(form, button));
});

function submit(form, button) {
  const act = actOf(form, button);
  form.closest("[popover]")?.hidePopover();
  if (form.id === "lg-spin") return spin(form);
  if (form.id === "lg-act" && needsDots(act, button)) {
    const {card, end, foe, target, target_end} = act;
    return refresh(new URLSearchParams({card, end, foe, target, target_end}).toString(), true);
  }
  if ("retest" in form.dataset) Object.assign(act, powerups());
  const query = armedAfter(act, form);
  say(tapped(button), "…");
  if (form.id === "lg-act") disarm();
  const irregular = form.elements.irregular?.value === "true";
  record(act, {irregular, query, note: form.elements.note?.value ?? ""});
}

/** Return the half that stays chosen after an act: a target drawn waits for the same attack. */
function armedAfter(act, form) {
  if (act.type !== "target-drawn") return form.elements.armed?.value ?? "";
  return new URLSearchParams({card: form.elements.card.value, end: form.elements.end.value}).toString();
}

/** Tell whether a test needs dots that nobody entered. */
function needsDots(act, button) {
  return act.type === "attacked" && ("unknown" in button.dataset || find("#lg-step").hasAttribute("data-unknown"));
}

/** Return the half turn and the blazes chosen for the next test, for a retest. */
function powerups() {
  const form = find("#lg-act");
  if (!form) return {};
  const {half_turn, augments, bolsters} = actOf(form, null);
  return JSON.parse(JSON.stringify({half_turn, augments, bolsters}));
}

/** Return what a tap on a button says, as short as can be. */
function tapped(button) {
  const {target, end} = button?.dataset ?? {};
  if (!target) return button?.textContent.trim() || "";
  return `${find("#lg-armed").textContent} > ${target} ${end.toUpperCase()}`;
}

function tapDot(key) {
  const field = document.getElementById(key.closest("[data-pad]").dataset.pad);
  const {key: sign} = key.dataset;
  if (!sign) field.value = "";
  else field.value = ("RGB".includes(sign) ? `${field.value} ${sign}` : field.value + sign).trim();
}

// -- keys, clock, screen --------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox], [type=radio]), textarea");
  const undoing = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (undoing && !typing) {
    event.preventDefault();
    find(event.shiftKey ? "[data-redo]" : "[data-undo]")?.click();
  } else if (event.key === "Escape" && !find(":popover-open") && find("#lg-step")?.dataset.step === "against") {
    disarm();
    firstKey()?.focus();
  } else if (!typing && moveFocus(root, event.key)) {
    event.preventDefault();
  }
});

let ticking = 0;

/** Count the minute down from what the server said was left. */
function runClock() {
  clearInterval(ticking);
  const clock = find("[data-left]");
  if (!clock) return;
  const end = Date.now() + 1000 * Number(clock.dataset.left);
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    clock.querySelector(".num").textContent = left || "Time!";
    clock.classList.toggle("over", left === 0);
    if (!left) clearInterval(ticking);
  };
  ticking = setInterval(tick, 250);
  tick();
}

/** Keep the screen on while the logger is looked at, where the browser can. */
async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  await navigator.wakeLock?.request("screen").catch(() => null);
}

// -- what others log --------------------------------------------------------------------------

const EVERY = 5000, HIDDEN = 60_000; // ms between questions

/** Ask whether the log has gone on, and show how; a half that is armed stays so. */
async function look() {
  if (busy || find(":popover-open, #lg-dots")) return;
  const answer = await fetch(`${root.dataset.events}?after=${version()}&limit=1`, {credentials: "same-origin"});
  if (!answer.ok) return;
  const {last} = await answer.json();
  if (last > version() && !busy) await refresh(armed());
}

let looking = 0;

function follow() {
  clearTimeout(looking);
  look()
    .then(() => chip(""), () => chip("offline"))
    .finally(() => (looking = setTimeout(follow, document.hidden ? HIDDEN : EVERY)));
}

document.addEventListener("visibilitychange", () => {
  stayAwake();
  if (!document.hidden) follow();
});

ready();
stayAwake();
looking = setTimeout(follow, EVERY);
const left = outbox.kept();
if (left) {
  busy = true;
  deliver(left)
    .then((receipt) => receipt && refresh())
    .catch(() => chip("reload"))
    .finally(() => { busy = false; });
}
