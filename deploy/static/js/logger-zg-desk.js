// Show a board of Z-G offline: from templates of the server that are sent with the pocket, updated
// with what was logged since. Also shows the result of an act in advance, from the table of results.

import {movingCard} from "./logger-board.js";
import {element} from "./logger-parts.js";
import {many, word} from "./words.js";

/** Return the desk for what the board waits for; its undo button takes back `last`. */
export function deskOf(pocket, board, last) {
  const page = new DOMParser().parseFromString(pocket.html, "text/html");
  const {what, seat} = board.next;
  const desk = page.querySelector(`template[data-desk=${what}]${seat ? `[data-seat="${seat}"]` : ""}`);
  if (!desk) return null;
  const part = document.importNode(desk.content, true);
  for (const side of board.seats) {
    const moving = movingCard(board, side.seat);
    for (const card of side.cards) dress(part, side, card, card.name === moving);
    if (!side.to_play) part.querySelector(`[data-impulse="${side.seat}"]`)?.remove();
  }
  const pulse = part.querySelector(".lg-pulse");
  if (pulse && board.follow_up) pulse.textContent = word("again");
  else if (pulse) pulse.textContent = word("pulse {n} of {all}", {n: side(board, seat).pulses + (movingCard(board, seat) ? 0 : 1), all: board.pulses});
  part.querySelector("#lg-spin")?.remove(); // the site cannot draw for a phone that is offline
  return undoing(part, page, last);
}

/** Return the desk on which the strikes of a test are called, for cards whose dots are not known. */
export function callDesk(pocket, act, last) {
  const page = new DOMParser().parseFromString(pocket.html, "text/html");
  const desk = page.querySelector("template[data-desk=call]");
  if (!desk) return null;
  const part = document.importNode(desk.content, true);
  const form = part.querySelector("#lg-call");
  for (const name of ["seat", "card", "foe", "target"]) form.elements[name].value = act[name];
  form.dataset.told = `${act.card} ${act.end.toUpperCase()} > ${act.target} ${act.target_end.toUpperCase()}`;
  part.querySelector(".lg-h").textContent = form.dataset.told;
  return undoing(part, page, last);
}

/** Replace a desk's undo buttons by one for `last`, if this phone can take it back. */
function undoing(part, page, last) {
  for (const key of part.querySelectorAll("[data-undo], [data-redo]")) key.closest("form").remove();
  if (last) {
    const undo = document.importNode(page.querySelector("template[data-part=undo]").content, true);
    undo.querySelector("span").textContent = word("Undo: {act}", {act: last.text});
    part.querySelector(".lg-bar").prepend(undo);
  }
  return part;
}

const side = (board, seat) => board.seats.find((each) => each.seat === seat);

/** Show a card's state on its tiles: slagged; locked; played, or not in its hand. One that `moves` may still attack. */
function dress(part, {seat, hand}, card, moves) {
  const outside = hand?.length > 0 && !hand.includes(card.name); // a hand that this phone does not know is null
  for (const tile of part.querySelectorAll(`.lg-tile[data-of="${seat}"]`)) {
    if (tile.dataset.name !== card.name) continue;
    const target = Boolean(tile.closest("#lg-act"));
    tile.classList.toggle("played", card.played && !moves && !target);
    tile.classList.toggle("idle", outside && !moves && !target);
    tile.classList.toggle("locked", card.locked_by.length > 0 && target);
    if (card.slagged) lose(tile, card);
  }
  if (!card.slagged) return;
  for (const key of part.querySelectorAll(".lg-card")) {
    const of = new URLSearchParams(key.value);
    if (of.get("foe") === String(seat) && of.get("target") === card.name) key.remove();
  }
}

function lose(tile, card) {
  const [name, gone] = [element("span", "lg-name"), element("span", "lg-gone", word("slagged"))];
  name.append(element("span", "strike", card.name));
  tile.replaceChildren(name, gone);
  tile.className = "lg-tile lost";
  tile.parentElement.append(tile);
}

/** Update the score in the head from the board. */
export function score(head, board) {
  const when = head.querySelector(".lg-when");
  if (when) when.textContent = when.textContent.replace(/\d.*/s, board.turn); // its letter stays
  for (const {seat, cards} of board.seats) {
    const shown = head.querySelector(`.lg-side[data-seat="${seat}"]`);
    if (!shown) continue;
    shown.querySelector(".num").textContent = cards.filter(({slagged}) => !slagged).length;
    shown.classList.toggle("up", board.next.seat === seat);
  }
}

export const summary = ({dot_matches, strikes, text}) =>
  `${many(dot_matches, "{n} match", "{n} matches")}, ${many(strikes, "{n} strike", "{n} strikes")}: ${text}`;

/** Return the result of a test in advance, with the reasons dot by dot, as the server renders them. */
export function verdict(act, test, {foretold, html}) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const told = page.querySelector("template[data-part=pairs]")?.content; // missing from a pocket of an earlier release
  const of = (name, value) => told?.querySelector(`[data-${name}="${CSS.escape(value)}"]`);
  const drawn = (dot) => document.importNode(of("dot", dot)?.firstChild ?? document.createTextNode(dot), true);
  const said = element("p", "lg-told");
  said.append(element("strong", `lg-result ${test.result}`, `${summary(test)}.`));
  if (test.result.startsWith("slag")) said.append(` ${word("Take off {card}.", {card: act.target})}`);
  const reasons = element("ol", "lg-reasons");
  for (const {attack, target, strikes, why, text} of test.dots.map((place) => foretold.pairs[place])) {
    const reason = element("li", strikes ? "hit" : "");
    const pair = element("span", "lg-pair");
    pair.append(drawn(attack), drawn(target));
    reason.append(pair, element("span", "", of("why", why)?.textContent ?? why.replaceAll("-", " ")));
    if (strikes) reason.append(element("b", "", strikes));
    for (const part of reason.children) part.setAttribute("aria-hidden", "true");
    const [attacks, meets] = [attack, target].map((dot) => of("dot", dot)?.title ?? dot);
    reason.append(element("span", "sr", word("{attack} on {target}: {text}", {attack: attacks, target: meets, text})));
    reasons.append(reason);
  }
  return test.dots.length ? [said, reasons] : [said];
}
