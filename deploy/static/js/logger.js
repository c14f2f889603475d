// The logger: two taps an act. The page's own forms say what may be recorded. This module writes
// each act to the phone's outbox, has it sent, and shows the page's next state: the server's, or
// while that can not be had the one the phone reckons.

import {readAct} from "./logger-acts.js";
import {fold, foretold} from "./logger-board.js";
import {runClock, stayAwake} from "./logger-clock.js";
import {anyDesk, callDesk, deskOf, element, score, summary, verdict} from "./logger-desk.js";
import {Drain} from "./logger-drain.js";
import {moveFocus, visible} from "./logger-keys.js";
import {Outbox} from "./logger-outbox.js";
import {keys, list, reason} from "./logger-review.js";
import {Witness} from "./logger-witness.js";
import {many, word} from "./words.js";

const root = document.getElementById("logger");
const find = (selector) => root.querySelector(selector);
const outbox = await Outbox.open(root.dataset.match);
const drain = new Drain(outbox, root.dataset.api, headers, heard);
const witness = new Witness(root.dataset.match, document.getElementById("lg-broken"));
const receipts = new Map(); // what the server said of acts, by id
const PATIENCE = 400; // ms to wait for the server before the phone goes on by itself
const LONGEST = 20_000; // ms until a question counts as unanswered: no network always says that it is gone
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let busy = false;
let gaveUp = () => {}; // called when no network answers
let offline = false;
let again = null; // the refused act that the next tap takes the place of
let armedNext = ""; // what is armed once the server has answered
let toldOf = ""; // the id of the refused act that the page has told of

// -- what is on the page --------------------------------------------------------------------

const head = () => find("#lg-head");
const TITLES = JSON.parse(root.dataset.titles); // what each type of act is called
const FIELDS = JSON.parse(head().dataset.acts); // of each type of act, with the kind of each
const actOf = (form, button) => readAct(FIELDS, form, button);
const version = () => Number(head().dataset.version) || outbox.pocket?.version || 0;
const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1];

function headers() {
  const token = cookie("csrftoken") ?? find("[name=csrfmiddlewaretoken]")?.value ?? "";
  return {"X-CSRFToken": token};
}

/** Say what happened, in words or parts of them, and what may be tapped about it. */
function say(text, detail = "", buttons = []) {
  const told = element("p", "lg-told");
  told.appendChild(element("strong")).append(...[text].flat());
  told.append(` ${detail}`);
  find("#lg-said").replaceChildren(told, ...buttons);
}

/** Say how much is not sent yet, and list it in its sheet. */
function count() {
  const chip = find("#lg-sent");
  const waits = outbox.items.length ? word("{n} not sent", {n: outbox.items.length}) : "";
  chip.textContent = [offline ? word("offline") : "", waits].filter(Boolean).join(" · ");
  chip.hidden = !chip.textContent;
  root.querySelectorAll("form[data-count]").forEach(pend);
  list(document.getElementById("lg-unsent"), outbox.items);
}

/** Say in a form that counts how much of it is not sent yet. */
function pend(form) {
  const {type, seat} = form.elements;
  const mine = outbox.items.filter(({act}) => act.type === type.value && String(act.seat) === seat.value);
  const sum = mine.reduce((sum, {act}) => sum + act[form.dataset.count], 0);
  const chip = form.querySelector("[data-pending]");
  chip.hidden = !mine.length;
  chip.textContent = word("{n} not sent", {n: sum > 0 ? `+${sum}` : sum});
}

/** Take the state of the page anew from the server; `query` chooses something beforehand. */
async function refresh(query = "", keepSaid = false) {
  const asked = new URLSearchParams(query);
  asked.set("part", "1");
  const answer = await fetch(`${root.dataset.table}?${asked}`, {credentials: "same-origin", signal: AbortSignal.timeout(LONGEST)});
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const seen = find(".hex-reach");
  const at = seen && [seen.scrollLeft, seen.scrollTop];
  const byKeys = root.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  for (const id of ["lg-head", "lg-said", "lg-desk"]) {
    if (id === "lg-said" && keepSaid) continue;
    const [now, next] = [document.getElementById(id), page.getElementById(id)];
    for (const name of Object.keys(next.dataset)) now.dataset[name] = next.dataset[name];
    now.replaceChildren(...next.childNodes);
  }
  if (at) find(".hex-reach")?.scrollTo(...at);
  ready();
  if (byKeys) firstKey()?.focus();
}

function ready() {
  const {head: at, hash} = head().dataset;
  if (hash) witness.hear(Number(at), hash);
  for (const pad of root.querySelectorAll(".lg-pad")) pad.hidden = false;
  layOut(find("#lg-step"));
  showKeys(find(".hex-reach"));
  runClock(root);
  packSoon();
}

/** Lay out both halves of a step before the finger comes: the one that waits rests out of sight. */
function layOut(step) {
  if (!step || !CSS.supports("content-visibility", "hidden")) return;
  step.dataset.laid = "";
  afterPaint(() => (step.dataset.laid = "rests"));
}

/** Bring what may be tapped on a board larger than the screen, or who fights there, to the middle of what is seen of it. */
function showKeys(board) {
  const of = (what) => [...(board?.querySelectorAll(what) ?? [])];
  const shown = of(".hex-key");
  const boxes = (shown.length ? shown : of(".fights")).map((key) => key.getBoundingClientRect());
  if (!boxes.length) return; // it stays where it was
  const seen = board.getBoundingClientRect();
  const middle = (start, end) => (Math.min(...boxes.map((box) => box[start])) + Math.max(...boxes.map((box) => box[end]))) / 2;
  board.scrollBy(middle("left", "right") - (seen.left + seen.right) / 2, middle("top", "bottom") - (seen.top + seen.bottom) / 2);
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

// -- recording ------------------------------------------------------------------------------

/**
 * Write an act down and have it sent; show what it comes to, then what the server made of it.
 * `answered`: wait for the server however long it takes, unless there is no network.
 */
async function record(act, {irregular = false, query = "", note = "", text = "", answered = false} = {}) {
  if (busy) return null;
  hold(true);
  try {
    const item = await write({act, irregular, note, text});
    armedNext = query;
    const under_way = drain.running;
    const sending = drain.run();
    if (answered) await Promise.race([sending, new Promise((resolve) => { gaveUp = resolve; })]);
    else if (!under_way && !offline) await Promise.race([sending, wait(PATIENCE)]);
    if (outbox.items.includes(item) && !item.problem) {
      if (!item.told && act.type !== "taken-back") say(item.text, word("It will be judged when it is sent."));
      goOn();
    }
    return receipts.get(item.id);
  } catch (error) {
    say(word("This phone could not write that down."), String(error));
    return null;
  } finally {
    hold(false);
  }
}

function hold(on) {
  busy = on;
  root.toggleAttribute("aria-busy", on);
  if (on) root.setAttribute("aria-busy", "true");
}

/** Put an act into the outbox, and say what the table of results foretells. */
async function write(given) {
  const refused = outbox.items.length === 1 && outbox.items[0].problem ? outbox.items[0] : again;
  again = null;
  const test = foretold(outbox.pocket?.foretold, given.act);
  given.told = test ? summary(test) : "";
  let item = refused;
  if (refused && outbox.items.includes(refused)) {
    if (refused === outbox.items[0]) Object.assign(refused, {after: version(), expected: version() + 1});
    await outbox.replace(refused, given);
  } else item = await outbox.add(given, version());
  if (test) find("#lg-said").replaceChildren(...verdict(given.act, test, outbox.pocket));
  else say(given.text, "…");
  return item;
}

// -- without the server ---------------------------------------------------------------------

/** Return the acts since the state in the pocket, sent or not. */
function since() {
  const sent = outbox.sent.filter((each) => each.version > (outbox.pocket?.version ?? 0));
  return [...sent, ...outbox.items.map((item) => ({version: item.expected, ...item}))];
}

/** Show the board as this phone reckons it, and let the table go on. */
function goOn() {
  count();
  if (!outbox.pocket?.foretold?.tests) return asItWas();
  const chosen = new URLSearchParams(armed());
  const board = fold(outbox.pocket, since());
  const desk = deskOf(outbox.pocket, board, undoable());
  if (!desk) return;
  find("#lg-desk").replaceChildren(desk);
  score(head(), board);
  ready();
  const {card, end} = board.follow_up ?? Object.fromEntries(chosen);
  const half = board.next.what === "pulse" && card && find(`a[data-card="${CSS.escape(card)}"][data-end="${end}"]`);
  if (half) arm(half);
}

/** Have the table call the strikes of a test whose dots nobody entered. */
function callStrikes(act) {
  const desk = outbox.pocket && callDesk(outbox.pocket, act, undoable());
  if (!desk) return say(word("Those dots are not known."), word("Entering them needs the network."));
  find("#lg-desk").replaceChildren(desk);
}

/** A game that foretells nothing goes on with the forms of the state that was kept. */
function asItWas() {
  const desk = outbox.pocket && "shell" in root.dataset && anyDesk(outbox.pocket);
  if (desk) find("#lg-desk").replaceChildren(desk);
  const undo = find("[data-undo] span");
  if (!undo) return;
  undo.dataset.was ??= undo.textContent;
  const last = undoable();
  undo.textContent = last ? word("Undo: {act}", {act: last.text}) : undo.dataset.was;
}

/** Return the last act that this phone can take back by itself. */
function undoable() {
  return since()
    .reduce((kept, each) => (each.act.type === "taken-back" ? kept.filter((one) => one.version <= each.act.to) : [...kept, each]), [])
    .at(-1);
}

/** Take back the last act without the server: drop it if it never left, else say so after it. */
async function takeBack() {
  const last = undoable();
  if (!last) return say(word("That is taken back once there is a network."));
  const own = outbox.items.at(-1);
  const stays = own?.id !== last.id || (own.tried && !own.problem);
  if (stays) return record({type: "taken-back", to: last.version - 1}, {text: word("Taken back: {act}", {act: last.text})});
  await outbox.drop(own);
  goOn();
  say(word("Taken back:"), last.text);
}

// -- what becomes of what was sent ------------------------------------------------------------

let taken = 0; // acts sent since there was nothing to send
let proposed = 0;

async function heard(what, item, answer) {
  const was = offline;
  if (what !== "empty") offline = what === "waiting";
  if (what === "sent") {
    receipts.set(item.id, answer.body);
    witness.hear(answer.body.version, answer.body.hash);
    taken += 1;
  } else if (what === "proposed") proposed += 1;
  else if (what === "refused" || (what === "stands" && toldOf !== item.id)) await refuse(item);
  else if (what === "signed-out") signIn();
  else if (what === "empty") await settle();
  if (what === "waiting") gaveUp();
  if (what === "waiting" && !was) goOn();
  else if (what !== "empty" || !find("#lg-sent").hidden) count();
}

/** Everything is sent: show the server's board. */
async function settle() {
  if (!taken && !proposed) return;
  const [sent, kept] = [taken, proposed];
  const chosen = find("#lg-step") ? armed() : "";
  taken = proposed = 0;
  if ("shell" in root.dataset) return location.replace(root.dataset.table);
  const shown = !find("#lg-sent").hidden;
  await refresh(chosen || armedNext).catch(() => { offline = true; });
  if (kept) say(many(kept, "Kept as a proposal.", "{n} kept as proposals."), word("Another phone is the scribe."));
  else if (shown && sent > 1) say(word("{n} acts sent.", {n: sent}));
}

/** Show why the queue stands still, and what can be done about it. */
async function refuse(item) {
  toldOf = item.id;
  const elsewhere = ["moved-on", "after-unknown", "not-the-scribe"].includes(item.problem.code);
  const behind = taken && !outbox.pocket?.foretold?.tests; // what was sent before it is not on the board
  if (elsewhere || behind) await refresh().catch(() => {});
  const more = outbox.items.length - 1;
  const [first] = keys(item.problem, more);
  const review = element("button", "btn", more ? word("Review {n}", {n: more + 1}) : word("Review"));
  Object.assign(review, {type: "button", popoverTargetElement: document.getElementById("lg-unsent")});
  const row = element("div", "lg-row");
  row.append(...(more || first.dataset.review === "again" ? [] : [first]), review);
  say(reason(item.problem), item.text ? word("Not recorded: {act}", {act: item.text}) : "", [row]);
}

function signIn() {
  const link = element("a", "btn alarm", word("Sign in"));
  link.href = root.dataset.login;
  const join = element("a", "btn", word("I have a seat’s link"));
  join.href = root.dataset.join;
  const row = element("div", "lg-row");
  row.append(link, join);
  const waits = many(
    outbox.items.length,
    "{n} act waits on this phone until you are back.",
    "{n} acts wait on this phone until you are back.",
  );
  say(word("You are signed out."), waits, [row]);
}

/** What the keys of the review do with the refused act. */
const REVIEW = {
  stood: (item) => resend(item, {irregular: true}),
  after: (item) => resend(item, {after: version()}),
  drop: (item) => outbox.drop(item),
  all: (item) => outbox.drop(item, true),
  again: (item) => {
    again = item;
    say(word("Tap it again:"), item.text);
  },
  take: async (item) => {
    const over = find("[data-take-over]")?.form.elements.over.value ?? item.problem.scribe?.id;
    await post(root.dataset.scribe, {over: over || null});
    await resend(item, {after: version()});
  },
  propose: async () => {
    for (let item; (item = outbox.items[0]); proposed += 1) {
      const {id, act, after, irregular, note, said_at} = item;
      await post(root.dataset.proposals, {id, act, after, irregular, note, said_at});
      await outbox.drop(item);
    }
  },
};

async function resend(item, changes) {
  Object.assign(item, changes, {problem: null});
  await outbox.keep(item);
}

async function post(url, body) {
  const answer = await fetch(url, {
    method: "POST",
    credentials: "same-origin",
    headers: {"Content-Type": "application/json", ...headers()},
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LONGEST),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

async function review(what) {
  document.getElementById("lg-unsent").hidePopover();
  if (what === "undo") return takeBack();
  const [item] = outbox.items;
  if (!item?.problem) return;
  try {
    await REVIEW[what](item);
  } catch (error) {
    say(word("That did not work."), error.message);
  }
  if (what === "again") return;
  if (outbox.items.length) goOn();
  else if (!proposed) await refresh(armedNext).catch(goOn);
  count();
  drain.run();
}

/** SPIN: the site draws the foe's card, then spins its end; one tap, two acts. */
async function spin(form) {
  const attack = {...actOf(find("#lg-act"), null), spin: "server", target_end: "a"};
  const act = actOf(form, null);
  if (!act.foe) return say(word("Against whom?"), word("Choose a foe first."));
  if (offline || outbox.items.length) return say(word("The site can not spin now."), word("Spin on the table and tap what it shows."));
  const {card} = attack;
  if (find(`[data-spent="${CSS.escape(card)}"]`)) return say(word("{card} may not attack now.", {card}), word("Nothing was drawn."));
  if (find("#lg-step").hasAttribute("data-unknown")) return say(word("Those dots are not known."), word("Nothing was drawn."));
  disarm(); // a card that may attack again is armed by the server
  if (act.type === "attacked") return record({...attack, foe: act.foe, target: act.target});
  say(word("The site draws…"));
  const receipt = await record(act, {answered: true});
  if (receipt) await record({...attack, foe: act.foe, target: receipt.act.target});
}

// -- taps -----------------------------------------------------------------------------------

const TWICE = 350, NEAR = 20; // within so many ms and px a second tap belongs to the first
let tap = {at: -TWICE};

/** Let a finger that comes down twice count once: what lies under it by then was not meant. */
function once(event) {
  if (!event.detail) return; // by a key
  const {timeStamp: at, clientX: x, clientY: y} = event;
  const key = event.target.closest("a, button, label, summary");
  if (key?.matches("[popovertarget]")) return; // opens or shuts a sheet, and no more
  const slips = Math.abs(at - tap.at) < TWICE && Math.hypot(x - tap.x, y - tap.y) < NEAR && key !== tap.key;
  tap = slips ? {...tap, at} : {at, x, y, key};
  if (!slips) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

root.addEventListener("click", once, true);

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
  } else if (event.target.closest("[data-back]")) {
    goOn();
  } else if (event.target.closest("[data-cancel]")) {
    event.preventDefault();
    disarm();
  } else if (link) {
    event.preventDefault();
    refresh(new URL(link.getAttribute("href"), location.href).search, true).catch(() => say(word("That needs the network.")));
  } else if (key) {
    tapDot(key);
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-review]");
  if (button) review(button.dataset.review);
});

root.addEventListener("change", (event) => {
  event.target.closest("[popover][data-once], [data-once]")?.closest("[popover]")?.hidePopover();
});

root.addEventListener("submit", (event) => {
  const {target: form, submitter: button} = event;
  if (button?.matches("[data-take-over]") && outbox.items[0]?.problem?.code === "not-the-scribe") {
    event.preventDefault();
    return review("take"); // and send what was refused
  }
  if (form.method !== "post" || !form.elements.type) return; // not an act: let the browser send it
  event.preventDefault();
  if (busy) return;
  if ("undo" in (button?.dataset ?? {}) && outbox.items.length) return light(button, takeBack);
  const least = lacking(form);
  if (least) return say(choosing(least));
  light(button, () => submit(form, button));
});

/** Return the sentence that says what is to be chosen: cards where the group does not say. */
function choosing({n, what}) {
  if (what) return word("{what}: choose {n} first.", {what, n});
  return n === 1 ? word("Choose a card first.") : word("Choose {n} cards first.", {n});
}

/** Return how many must be chosen, and of what, where fewer are; else nothing. */
function lacking(form) {
  const short = [...form.querySelectorAll("[data-least]")].find((group) =>
    group.querySelectorAll(":checked").length < Number(group.dataset.least));
  if (!short) return null;
  return {n: Number(short.dataset.least), what: short.dataset.what};
}

function submit(form, button) {
  const act = actOf(form, button);
  if (!act) return form.submit(); // of another release than this page
  form.closest("[popover]")?.hidePopover();
  if (form.id === "lg-spin") return spin(form);
  if (form.id === "lg-act" && needsDots(act, button)) {
    const {card, end, foe, target, target_end} = act;
    const query = new URLSearchParams({card, end, foe, target, target_end}).toString();
    return offline ? callStrikes(act) : refresh(query, true).catch(() => callStrikes(act));
  }
  if ("retest" in form.dataset) Object.assign(act, powerups());
  const query = armedAfter(act, form);
  const text = tapped(form, button);
  if (form.id === "lg-act") disarm();
  if (form.dataset.count) form.reset();
  const irregular = form.elements.irregular?.value === "true";
  record(act, {irregular, query, text, note: form.elements.note?.value ?? ""});
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

/** Return what a tap on a button of a form says, as short as can be. */
function tapped(form, button) {
  const {target, end} = button?.dataset ?? {};
  if (target) return `${find("#lg-armed").textContent} > ${target} ${end.toUpperCase()}`;
  const {count, one, more, told} = form.dataset;
  if (count) return many(Number(form.elements[count].value), one, more);
  if (button?.name === "strikes") return `${told}, ${many(Number(button.value), "{n} strike", "{n} strikes")}`;
  if (told) return [told, chosen(form)].filter(Boolean).join(": ");
  const says = (button?.ariaLabel || [...(button?.childNodes ?? [])].map((part) => part.textContent).join(" ")).replace(/\s+/g, " ").trim();
  const {card, piece, type} = form.elements;
  const named = [card, piece].find((each) => each?.type === "hidden" && each.value);
  const what = named?.value ?? TITLES[type.value];
  return !what || says.startsWith(what) ? says : `${what}: ${says}`;
}

/** Return what somebody chose or typed in a form, as it reads there. */
const chosen = (form) =>
  [...form.elements]
    .filter((each) => each.name && !each.matches("button, [type=hidden]") && (each.matches("[type=checkbox], [type=radio]") ? each.checked : each.value))
    .map((each) => (each.selectedOptions?.[0] ?? each.closest("label"))?.textContent.trim() ?? each.value)
    .join(", ");

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

// -- what others log, and what is kept for later ------------------------------------------------

const EVERY = 5000, BESIDE = 15_000, HIDDEN = 60_000; // ms between questions
const IDLE = 1200; // ms of rest before the state is kept for later

/** Ask whether the log has gone on and still holds what it held; a half that is armed stays so. */
async function look() {
  if (busy || find(":popover-open, #lg-dots")) return;
  if (outbox.items.length) await (drain.running ?? drain.run());
  if (outbox.items.length && !outbox.items[0].problem) return;
  const asked = witness.asks(version());
  const answer = await fetch(`${root.dataset.events}?after=${asked.after}&limit=${asked.limit}`, {credentials: "same-origin", signal: AbortSignal.timeout(LONGEST)});
  if (!answer.ok) return;
  offline = false;
  if ("shell" in root.dataset) return location.replace(root.dataset.table);
  const {entries, last} = await answer.json();
  witness.compare(asked, entries);
  if ((last > version() || await isOfAnother()) && !busy) await refresh(armed(), outbox.items.length > 0);
  count();
}

let besideSeen = 0;

/** Show, every now and then, what stands beside the score now, as a round's clock; tell whether the scribe or what waits for them is another. */
async function isOfAnother() {
  if (Date.now() - besideSeen < BESIDE) return false;
  besideSeen = Date.now();
  const answer = await fetch(`${root.dataset.table}?part=beside`, {credentials: "same-origin", signal: AbortSignal.timeout(LONGEST)});
  if (!answer.ok) return false;
  const {pen, panels} = await answer.json();
  const beside = find("#lg-panels");
  if (beside.told !== panels) Object.assign(beside, {innerHTML: panels, told: panels});
  return pen !== head().dataset.pen;
}

let looking = 0;

function follow() {
  clearTimeout(looking);
  look()
    .catch(() => {
      offline = true;
      count();
    })
    .finally(() => (looking = setTimeout(follow, document.hidden ? HIDDEN : EVERY)));
}

let packing = 0;

/** Keep the server's state, with its desks and its table of results, for when there is no network. */
function packSoon() {
  clearTimeout(packing);
  packing = setTimeout(() => pack().catch(() => {}), IDLE);
}

async function pack() {
  const old = outbox.pocket;
  if (old?.version === version() && !outbox.items.length) return;
  const answer = await fetch(`${root.dataset.table}?part=pocket&ends=${old?.ends ?? ""}`, {credentials: "same-origin", signal: AbortSignal.timeout(LONGEST)});
  if (!answer.ok) return;
  const pocket = await answer.json();
  if (pocket.version >= (outbox.pocket?.version ?? 0)) await outbox.pack({foretold: old?.foretold, ...pocket});
}

document.addEventListener("visibilitychange", () => {
  stayAwake();
  besideSeen = 0;
  if (!document.hidden) follow();
});

const safe = (count) =>
  count
    ? many(count, "The act you logged is kept and will be sent.", "All {n} acts you logged are kept and will be sent.")
    : word("Nothing waits to be sent.");

/** Begin without the server: from what this phone keeps. */
function wakeUp() {
  offline = true;
  if (!outbox.pocket) return say(word("No network."), `${word("The board of this match is not on this phone yet.")} ${safe(outbox.items.length)}`);
  say(word("No network."), word("The board of entry {version}, and what was logged here since.", outbox.pocket));
  find(".lg-score").innerHTML = outbox.pocket.score;
  goOn();
}

navigator.serviceWorker?.register(root.dataset.worker, {scope: root.dataset.table}).catch(() => {});
navigator.storage?.persist?.();
if ("shell" in root.dataset) wakeUp();
else {
  ready();
  if (!outbox.pocket) pack().catch(() => {}); // the first time at once: the network may be gone in a moment
}
stayAwake();
count();
if (outbox.items.length) drain.run();
looking = setTimeout(follow, witness.sure ? EVERY : 0);
