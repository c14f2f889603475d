// The logger: two taps per act. The page's own forms say what may be recorded. This module writes
// each act to the phone's outbox, has it sent, and shows the next state of the page: the server's, or
// while offline the one this phone works out. It knows no game: what a game does beside its forms is
// in a script of its own.

import {readAct, standing} from "./logger-acts.js";
import {runClock, stayAwake} from "./logger-clock.js";
import {Drain} from "./logger-drain.js";
import {moveFocus, visible} from "./logger-keys.js";
import {ANOTHER, Outbox} from "./logger-outbox.js";
import {ask as fetched, element, lifted, light, tell} from "./logger-parts.js";
import {labelOf, lacking, phraseOf} from "./logger-phrases.js";
import {keys, list, reason} from "./logger-review.js";
import {Watch} from "./logger-watch.js";
import {Witness} from "./logger-witness.js";
import {many, word} from "./words.js";

const root = document.getElementById("logger");
const find = (selector) => root.querySelector(selector);
const script = document.getElementById("game-script");
const [outbox, module] = await Promise.all([Outbox.open(root.dataset.match), script && import(script.href)]);
const drain = new Drain(outbox, root.dataset.api, headers, heard);
const witness = new Witness(root.dataset.match, document.getElementById("lg-broken"));
const receipts = new Map(); // by act id
const PATIENCE = 400; // ms to wait for the server before the phone goes on by itself
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let busy = 0; // how many acts are being stored and sent
let gaveUp = () => {}; // called when there is no network
let offline = false;
let replaced = null; // the refused act that the next tap replaces
let chosenNext = ""; // the query with the choice to restore once the server has answered
let warned = false; // that this phone keeps nothing
let shownRefusal = ""; // the id of the refused act that the page shows

// -- what is on the page --------------------------------------------------------------------

const head = () => find("#lg-head");
const TITLES = JSON.parse(root.dataset.titles); // the name of each type of act
const FIELDS = JSON.parse(head().dataset.acts); // the fields of each type of act, with their kinds
const actOf = (form, button) => readAct(FIELDS, form, button);
const version = () => Number(head().dataset.version) || outbox.pocket?.version || 0;
let newest = 0; // the newest version the server has named: the page may lag behind for a moment
const isOver = () => Boolean(head().dataset.ended);
const latest = () => Math.max(version(), newest);
const me = () => root.dataset.recorder ?? outbox.pocket?.recorder; // under whom acts are written here
const isMine = (item) => item.recorder === me();
const cookie = (name) => document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1];

/**
 * The game's hooks, all optional.
 * - `leaving()`, `drawn()`: called before the page's state is replaced, and after;
 * - `chosen()`, `choose(what)`, `disarm()`: get, restore and drop the choice for the next act;
 * - `says(form, button)`: returns a tap in words;
 * - `before(act, form, button, text)`: completes an act and returns the query of what stays chosen after it,
 *   or null when the game records the act itself;
 * - `foretells`, `foretell(act)`, `goOn(acts)`: whether the game can work out results offline, the
 *   result of an act, and the board after acts.
 */
const game = module
  ? new module.Game({root, find, outbox, actOf, firstKey, ready, record, refocus, refresh, say, undoable, isOffline: () => offline})
  : {};

const watch = new Watch({root, find, outbox, drain, witness, version, refresh, isBusy: () => busy > 0, online, ask});

/** Note whether there is a network, and show it. */
function online(yes) {
  offline = !yes;
  count();
}

/** Return the headers of a request that sends an act, or anything else: then in the name of this page. */
function headers({recorder} = {recorder: me()}) {
  const token = cookie("csrftoken") ?? find("[name=csrfmiddlewaretoken]")?.value ?? "";
  return {"X-CSRFToken": token, ...(recorder && {"X-Recorder": recorder})};
}

/** Fetch a part of this page, if it is still for the same account. */
async function ask(url) {
  const answer = await fetched(url, {headers: headers()});
  if (answer.status === 409) tellAnother();
  return answer;
}

/** Say, unless the page does, that this browser is signed in as somebody else by now. */
function tellAnother() {
  if (find("[data-anew]")) return;
  say(word("Someone else is signed in here by now."), word("What you log on this page is not recorded in their name: it waits on this phone."), [switching()]);
}

/** Show what happened, as text or parts of text, with buttons to act on it. */
function say(text, detail = "", buttons = []) {
  const told = element("p", "lg-told");
  told.appendChild(element("strong")).append(...[text].flat());
  told.append(` ${detail}`);
  find("#lg-said").replaceChildren(told, ...buttons);
}

/** Whether a page is of another release than this one; what this page alone remembers has to be sent first. */
function isNewer(page) {
  const release = page.getElementById("lg-head").dataset.release;
  return release !== head().dataset.release && !(outbox.forgets && outbox.items.length);
}

const wordsOf = (part) => part.textContent.replace(/\s+/g, " ").trim();

/** Return a tap in words as a sentence. */
const sentence = (text) => text.trim().replace(/[^.!?…]$/, "$&.");

/** Show how many acts are unsent, and list them in the sheet. */
function count() {
  const chip = find("#lg-sent");
  const [first] = outbox.items;
  const waits = first ? word("{n} not sent", {n: outbox.items.length}) : "";
  const why = first?.problem ? word("stopped") : offline ? word("offline") : "";
  const kept = outbox.forgets ? word("nothing is kept") : "";
  chip.textContent = [why, waits, kept].filter(Boolean).join(" · ");
  chip.hidden = !chip.textContent;
  root.querySelectorAll("form:has([data-pending])").forEach(pend);
  list(document.getElementById("lg-unsent"), outbox.items, isOver(), isMine);
  document.getElementById("lg-forgets").hidden = !outbox.forgets;
}

/** Say once that this phone keeps nothing; the chip in the head says so from then on. */
function warn() {
  if (!outbox.forgets || warned) return;
  warned = true;
  count();
  const {textContent} = document.getElementById("lg-forgets");
  find("#lg-said").append(element("p", "lg-told", textContent));
}

/** Show in a counting form how much of its count is unsent. */
function pend(form) {
  const {type, seat} = form.elements;
  const unsent = standing(since()).filter(({id}) => id); // without what was taken back
  const mine = unsent.filter(({act}) => act.type === type.value && String(act.seat) === seat.value);
  const sum = mine.reduce((total, {act}) => total + act[form.dataset.count], 0);
  const chip = form.querySelector("[data-pending]");
  chip.hidden = !mine.length;
  chip.textContent = word("{n} not sent", {n: sum > 0 ? `+${sum}` : sum});
}

/**
 * Replace the page's state by the server's; `query` preselects something on it. What was tapped before
 * the answer arrived is kept: the current choice, and the unsent acts.
 */
async function refresh(query = "", keepSaid = false) {
  const asked = new URLSearchParams(query);
  asked.set("part", "1");
  const answer = await ask(`${root.dataset.table}?${asked}`);
  if (answer.status === 409) return;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  await show(pageOf(await answer.text()), query, keepSaid);
}

const pageOf = (text) => new DOMParser().parseFromString(text, "text/html");

/** Replace the page's state by that of another page. */
async function show(page, query = "", keepSaid = false) {
  await lifted();
  if (isNewer(page)) return location.replace(root.dataset.table + (query && `?${query}`));
  const [chosen, waits] = [game.chosen?.(), outbox.items.length > 0 && !outbox.items[0].problem];
  game.leaving?.();
  for (const id of ["lg-head", "lg-said", "lg-desk"]) {
    if (id === "lg-said" && (keepSaid || waits)) continue;
    const [now, next] = [document.getElementById(id), page.getElementById(id)];
    for (const name of Object.keys(next.dataset)) now.dataset[name] = next.dataset[name];
    if (id === "lg-said" && wordsOf(now) === wordsOf(next)) continue; // a screen reader would say it again
    now.replaceChildren(...next.childNodes);
  }
  ready();
  if (chosen) game.choose(chosen);
  if (waits) goOn();
  else {
    count();
    if (outbox.items.length) nameUndo();
  }
  refocus();
}

function ready() {
  const {head: at, hash} = head().dataset;
  if (hash) witness.hear(Number(at), hash);
  game.drawn?.();
  runClock(root);
  watch.packSoon();
}

/** Go on by keyboard where the next act begins, once what had the focus is gone. */
function refocus() {
  const here = document.activeElement;
  if (byKeys && (here === document.body || !visible(here))) firstKey()?.focus();
}

/** Return where the next act begins: a half, else the key that was pressed last, else the first on the desk. */
function firstKey() {
  const seen = (which) => [...find("#lg-desk").querySelectorAll(which)].filter(visible);
  const any = seen(":is(button, input, select):enabled:not([data-undo]), a[href], summary");
  const same = any.find((key) => labelOf(key) && labelOf(key) === pressed);
  return seen(".lg-half, [data-first]")[0] ?? same ?? any[0] ?? find("[data-undo]");
}

// -- recording ------------------------------------------------------------------------------

/**
 * Store an act and have it sent; show its result in advance, then the server's answer. With
 * `answered` wait for that answer however long it takes, unless there is no network. While another act
 * is being recorded only one that `counts` is taken: it means the same on any board.
 */
async function record(act, {irregular = false, query = "", note = "", text = "", answered = false, counts = false} = {}) {
  const behind = busy > 0;
  if (behind && !counts) return null;
  hold(true);
  try {
    const item = await write({act, irregular, note, text});
    chosenNext = query;
    const underWay = drain.running;
    const sending = drain.run();
    if (answered) await Promise.race([sending, new Promise((resolve) => { gaveUp = resolve; })]);
    else if ((behind || !underWay) && !offline) await Promise.race([sending, wait(PATIENCE)]);
    await lifted();
    if (outbox.items.includes(item) && !item.problem) {
      if (act.type !== "taken-back") {
        if (!item.told) say(sentence(item.text), word("It will be judged when it is sent."));
      } else if (!game.foretells) say(sentence(item.text), word("That is taken back once there is a network."));
      if (outbox.items[0].problem) find("#lg-said").append(reviewKey(word("Sending has stopped: review {n}", {n: outbox.items.length})));
      goOn();
    }
    return receipts.get(item.id);
  } catch (error) {
    say(word("This phone could not write that down."), String(error));
    return null;
  } finally {
    hold(false);
    warn();
    refocus();
  }
}

function hold(on) {
  busy += on ? 1 : -1;
  if (busy) root.setAttribute("aria-busy", "true");
  else root.removeAttribute("aria-busy");
}

/**
 * Return the refused act that an act replaces: the one to be tapped again, or the only one that waits.
 * One that was refused for who sent it was not wrong: only the same act replaces it.
 */
function replacedBy(act) {
  const [only, more] = outbox.items;
  if (!only?.problem || more) return replaced;
  const stays = ["not-the-scribe", ANOTHER].includes(only.problem.code) && JSON.stringify(only.act) !== JSON.stringify(act);
  return stays ? replaced : only;
}

/** Put an act into the outbox, and show its result if the phone can work it out. */
async function write(given) {
  const refused = replacedBy(given.act);
  replaced = null;
  given.recorder = me();
  const foretold = game.foretell?.(given.act);
  given.told = foretold?.told ?? "";
  let item = refused;
  if (refused && outbox.items.includes(refused)) {
    if (refused === outbox.items[0]) refused.after = latest();
    await outbox.replace(refused, given);
  } else item = await outbox.add(given, latest());
  if (foretold) find("#lg-said").replaceChildren(...foretold.shown);
  else say(given.text, "…");
  return item;
}

// -- without the server ---------------------------------------------------------------------

/** Return the acts since the state in the pocket, sent or not; unsent ones with the versions they will be. */
function since() {
  const sent = outbox.sent.filter((each) => each.version > (outbox.pocket?.version ?? 0));
  return [...sent, ...outbox.items.map((item, place) => ({...item, version: outbox.items[0].after + place + 1}))];
}

/** Show the board as this phone works it out, so that play can go on. */
function goOn() {
  count();
  if (game.foretells) game.goOn(since());
  else asItWas();
  refocus();
}

/** Show the forms of the stored state, for a game that works out nothing offline. */
function asItWas() {
  if (outbox.pocket && "shell" in root.dataset) {
    const page = pageOf(outbox.pocket.html);
    const desk = page.querySelector("template[data-desk=any]");
    if (desk) find("#lg-desk").replaceChildren(document.importNode(desk.content, true));
  }
  nameUndo();
}

/** Name on the undo button the act that it takes back without the server, else what the server says. */
function nameUndo() {
  const last = undoable();
  if (last && !find("[data-undo]")) addUndo();
  const undo = find("[data-undo] span");
  if (!undo) return;
  undo.dataset.was ??= undo.textContent;
  if (last) undo.textContent = word("Undo: {act}", {act: last.text});
  else if (undo.dataset.was) undo.textContent = undo.dataset.was;
  else undo.closest("form").remove(); // this phone had added it
}

/** Add the undo button: the server's page has none while nothing can be taken back. */
function addUndo() {
  const page = pageOf(outbox.pocket?.html ?? "");
  const undo = page.querySelector("template[data-part=undo]");
  if (undo) find("#lg-desk .lg-bar").prepend(document.importNode(undo.content, true));
}

/** Return the last act that this phone can take back without the server. */
function undoable() {
  return standing(since()).at(-1);
}

/** Take back an act, the last, without the server: drop it if it was never sent, else record an undo. */
async function takeBack(last = undoable()) {
  if (!last) return say(word("That is taken back once there is a network."));
  const unsent = outbox.items.at(-1);
  const mayHaveArrived = unsent?.id !== last.id || (unsent.tried && !unsent.problem);
  if (mayHaveArrived) return record({type: "taken-back", to: last.version - 1}, {text: word("Taken back: {act}", {act: last.text})});
  await outbox.drop(unsent);
  goOn();
  say(word("Taken back:"), last.text);
}

// -- what becomes of what was sent ------------------------------------------------------------

let taken = 0; // acts sent since the outbox was last empty
let proposed = 0; // acts kept as proposals since then

/** Handle the drain's report of what became of an act. */
async function heard(what, item, answer) {
  const wasOffline = offline;
  if (what !== "empty") offline = what === "waiting";
  switch (what) {
    case "sent":
      receipts.set(item.id, answer.body);
      witness.hear(answer.body.version, answer.body.hash);
      newest = answer.body.version;
      taken += 1;
      break;
    case "proposed":
      proposed += 1;
      break;
    case "refused":
      await refuse(item);
      break;
    case "stands":
      if (shownRefusal !== item.id) await refuse(item);
      break;
    case "signed-out":
      if (!find(`#lg-said a[href="${root.dataset.login}"]`)) signIn(); // else each poll would take the focus
      break;
    case "waiting":
      gaveUp();
      if (!wasOffline) return goOn();
      break;
    case "empty":
      await settle();
      if (find("#lg-sent").hidden) return;
  }
  count();
}

/** Show the server's board once everything is sent. */
async function settle() {
  if (!taken && !proposed) return;
  const [sent, kept] = [taken, proposed];
  taken = proposed = 0;
  if ("shell" in root.dataset) return location.replace(root.dataset.table);
  const shown = !find("#lg-sent").hidden;
  await refresh(chosenNext).catch(() => { offline = true; });
  if (kept) say(many(kept, "Kept as a proposal.", "{n} kept as proposals."), word("Another phone is the scribe."));
  else if (shown && sent > 1) say(word("{n} acts sent.", {n: sent}));
}

/** Show why the queue is blocked, and what can be done about it. */
async function refuse(item) {
  shownRefusal = item.id;
  const {code, status} = item.problem;
  const elsewhere = status === 422 || ["moved-on", "after-unknown", "not-the-scribe"].includes(code); // why, the server knows
  const behind = taken && !game.foretells; // the board lacks the acts sent before it
  if (elsewhere || behind) await refresh().catch(() => {});
  const more = outbox.items.length - 1;
  const [first] = keys(item.problem, more, isOver(), isMine(item));
  const row = code === ANOTHER ? switching(isMine(item)) : element("div", "lg-row");
  const offered = first.dataset.review === "take" && find("[data-take-over]");
  row.append(
    ...(more || offered || code === ANOTHER || first.dataset.review === "again" ? [] : [first]),
    reviewKey(more ? word("Review {n}", {n: more + 1}) : word("Review")),
  );
  const told = item.text ? word("Not recorded: {act}", {act: sentence(item.text)}) : "";
  const held = more ? many(more, "{n} act after it waits until you decide.", "{n} acts after it wait until you decide.") : "";
  say(reason(item.problem), `${told} ${held}`.trim(), [row]);
}

/** Return a button that opens the sheet of unsent acts. */
function reviewKey(text) {
  const open = element("button", "btn", text);
  return Object.assign(open, {type: "button", popoverTargetElement: document.getElementById("lg-unsent")});
}

/** Return a link to sign in, as somebody else if anybody is. */
function signingIn(text) {
  return Object.assign(element("a", "btn alarm", text), {href: root.dataset.login});
}

/** Return a row of ways to go on once the browser is signed in as somebody else than what was logged, or this page. */
function switching(isForAnother = true) {
  const anew = element("a", "btn", word("Go on as them"));
  anew.href = root.dataset.table;
  anew.dataset.anew = "";
  const row = element("div", "lg-row");
  row.append(signingIn(word("Sign in again")), ...(isForAnother ? [anew] : []));
  return row;
}

function signIn() {
  const link = signingIn(word("Sign in"));
  const join = element("a", "btn", word("I have a seat’s link"));
  join.href = root.dataset.join;
  const row = element("div", "lg-row");
  row.append(link, join);
  const waits = many(
    outbox.items.length,
    "{n} act waits on this phone until you are back.",
    "{n} acts wait on this phone until you are back.",
  );
  say(word("You are signed out, or signed in as someone else."), waits, [row]);
}

/** What each button of the review does with the refused act. */
const REVIEW = {
  stood: (item) => resend(item, {irregular: true}),
  after: (item) => resend(item, {after: version()}),
  retry: (item) => resend(item, {}),
  mine: async ({recorder}) => {
    for (const item of outbox.items.filter((each) => each.recorder === recorder)) await resend(item, {recorder: me()});
  },
  drop: (item) => outbox.drop(item),
  all: (item) => outbox.drop(item, true),
  again: async (item) => {
    replaced = item;
    await refresh("", true).catch(goOn); // the board as it was before that act
    say(word("Tap it again:"), `${sentence(item.text)} ${word("What you tap next takes its place.")}`);
  },
  take: async (item) => {
    const over = find("[data-take-over]")?.form.elements.over.value ?? item.problem.scribe?.id;
    await post(root.dataset.scribe, {over: over || null});
    await resend(item, {after: version()});
  },
  propose: async () => {
    for (let item; (item = outbox.items[0]); proposed += 1) {
      const {id, act, after, irregular, note, said_at} = item;
      await post(root.dataset.proposals, {id, act, after, irregular, note, said_at}, item);
      await outbox.drop(item);
    }
  },
};

async function resend(item, changes) {
  Object.assign(item, changes, {problem: null});
  await outbox.keep(item);
}

async function post(url, body, item) {
  const answer = await tell(url, body, headers(item));
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

async function review(what) {
  document.getElementById("lg-unsent").hidePopover();
  if (what === "undo") return takeBack(since().at(-1)); // the last that waits, be it itself an undo
  const [item] = outbox.items;
  if (busy || !item?.problem) return;
  hold(true);
  replaced = null;
  try {
    await REVIEW[what](item);
  } catch (error) {
    say(word("That did not work."), error.message);
  } finally {
    hold(false);
  }
  if (what === "again") return;
  if (outbox.items.length) goOn();
  else if (!proposed) await refresh(chosenNext).catch(goOn);
  count();
  drain.run();
}

// -- taps -----------------------------------------------------------------------------------

const TWICE = 350, NEAR = 20; // ms and px within which a second tap belongs to the first
let tap = {at: -TWICE};

/** Ignore an accidental double tap, which would hit what has appeared under the finger by then. */
function once(event) {
  if (!event.detail) return; // from the keyboard
  const {timeStamp: at, clientX: x, clientY: y} = event;
  const key = event.target.closest("a, button, label, summary");
  if (key?.matches("[popovertarget]")) return; // only opens or closes a sheet
  const slips = Math.abs(at - tap.at) < TWICE && Math.hypot(x - tap.x, y - tap.y) < NEAR && key !== tap.key;
  tap = slips ? {...tap, at} : {at, x, y, key};
  if (!slips) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

root.addEventListener("click", once, true);

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-part]");
  if (event.ctrlKey || event.metaKey) return;
  if (event.target.closest("[data-back]")) {
    goOn();
  } else if (link) {
    event.preventDefault();
    refresh(new URL(link.getAttribute("href"), location.href).search, true).catch(() => say(word("That needs the network.")));
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-review]");
  if (button) review(button.dataset.review);
});

// A sheet opened by keyboard has the focus, as it covers what opened it.
document.addEventListener("toggle", ({target, newState}) => {
  if (newState !== "open" || !byKeys || !target.matches("[popover]")) return;
  [...target.querySelectorAll("button:enabled, input:enabled, select:enabled, textarea, a[href], summary")].find(visible)?.focus();
}, true);

// A sheet that the focus leaves is closed: it would cover what has the focus then.
document.addEventListener("focusin", ({target}) => {
  const sheet = document.querySelector(".lg-sheet[popover=\"\"]:popover-open");
  if (sheet && !sheet.contains(target)) sheet.hidePopover();
});

root.addEventListener("change", (event) => {
  event.target.closest("[data-once]")?.closest("[popover]")?.hidePopover();
});

root.addEventListener("submit", (event) => {
  const {target: form, submitter: button} = event;
  if (button?.matches("[data-take-over]") && outbox.items[0]?.problem?.code === "not-the-scribe") {
    event.preventDefault();
    return review("take"); // and resend what was refused
  }
  if ("settled" in form.dataset) {
    event.preventDefault();
    return busy || light(button, () => send(form, button));
  }
  if (form.method !== "post" || !form.elements.type) return; // not an act: let the browser send it
  event.preventDefault();
  if (busy && !form.dataset.count) return;
  if ("undo" in (button?.dataset ?? {}) && (outbox.items.length || latest() > version())) return light(button, takeBack);
  const missing = lacking(form);
  if (missing) return say(missing);
  light(button, () => submit(form, button));
});

/** Send a form that goes on from the state the server has, once nothing waits, and show the answer. */
async function send(form, button) {
  hold(true);
  try {
    const given = {method: "POST", body: new FormData(form, button)};
    const answer = outbox.items.length ? null : await fetched(form.action, given).catch(() => null);
    if (!answer) return say(word("That needs the network."));
    const page = pageOf(await answer.text());
    game.disarm?.(); // it was for an act that the answer is past
    if (page.getElementById("lg-desk")) await show(page);
    else if (answer.status === 409) tellAnother();
    else location.reload(); // signed out, say
  } finally {
    hold(false);
  }
}

function submit(form, button) {
  const act = actOf(form, button);
  if (!act) return form.submit(); // its release differs from this page's
  form.closest("[popover]")?.hidePopover();
  const text = game.says?.(form, button) || phraseOf(form, button, TITLES);
  const query = game.before ? game.before(act, form, button, text) : form.elements.armed?.value ?? "";
  if (query === null) return;
  const counts = Boolean(form.dataset.count);
  if (counts) form.reset();
  const irregular = form.elements.irregular?.value === "true";
  record(act, {irregular, query, text, counts, note: form.elements.note?.value ?? ""});
}

let byKeys = false; // whether the last tap or key came from a keyboard
let pressed = ""; // the label of the key that had the focus then
for (const kind of ["keydown", "pointerdown"]) {
  addEventListener(kind, ({type, target}) => {
    byKeys = type === "keydown";
    pressed = target.matches?.("a, button, summary") ? labelOf(target) : "";
  }, true);
}

// -- keys, clock, screen --------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox], [type=radio]), textarea");
  const undoing = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (event.key === "Enter" && event.repeat && !event.target.matches("textarea")) {
    event.preventDefault(); // held down it would press what comes next
  } else if (event.key === "Enter" && event.target.matches("[type=checkbox], [type=radio]")) {
    event.preventDefault(); // it would press the first key of the form
    event.target.click();
  } else if (undoing && !typing) {
    event.preventDefault();
    find(event.shiftKey ? "[data-redo]" : "[data-undo]")?.click();
  } else if (!typing && moveFocus(root, event.key)) {
    event.preventDefault();
  }
});

// -- the start --------------------------------------------------------------------------------

document.addEventListener("visibilitychange", () => {
  stayAwake();
  watch.returned();
});

addEventListener("beforeunload", (event) => {
  if (outbox.forgets && outbox.items.length) event.preventDefault();
});

const safe = (waiting) =>
  waiting
    ? many(waiting, "The act you logged is kept and will be sent.", "All {n} acts you logged are kept and will be sent.")
    : word("Nothing waits to be sent.");

/** Start offline, from what this phone stored. */
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
  if (!outbox.pocket) watch.pack().catch(() => {}); // the first time at once: the network may be lost any moment
}
stayAwake();
count();
warn();
if (outbox.items.length) drain.run();
watch.followIn(witness.sure ? undefined : 0);
