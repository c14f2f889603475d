// The board while offline: the last state from the server, with the acts since folded in. The
// consequences of an act are those the server returned for it, else those it precomputed (its table
// of results). No rule is applied here; whatever was not precomputed stays open until it is sent.

import {standing} from "./logger-acts.js";

const PULSES = 3;

/** Return the board after acts, each `{version, act, consequences}`; unsent ones have no consequences. */
export function fold(pocket, acts) {
  const board = structuredClone(pocket.board);
  for (const {act, consequences} of standing(acts)) {
    begin(board, act);
    for (const event of consequences ?? expected(board, act, pocket.foretold)) follow(board, event);
    if (!consequences) settle(board);
  }
  board.next = awaited(board);
  return board;
}

const side = (board, seat) => board.seats.find((each) => each.seat === seat);
const pulsesOf = ({flameout}) => (flameout ? 2 * PULSES : PULSES);
const card = (board, seat, name) => side(board, seat)?.cards.find((each) => each.name === name);

// -- precomputed results --------------------------------------------------------------------

/** Return the result of a test from the server's table, or null if it is not in it. */
export function foretold(table, act) {
  if (!table?.tests || act.type !== "attacked" || act.spin === "server") return null;
  const blazes = [...(act.augments ?? []).map((n) => `+${n}`), ...(act.bolsters ?? []).map((n) => `#${n}`)];
  const end = (seat, name, which) => table.ends[seat - 1]?.[name]?.["ab".indexOf(which)];
  const [attack, target] = [end(act.seat, act.card, act.end), end(act.foe, act.target, act.target_end)];
  const place = blazes.length > 1 ? undefined : table.tests[blazes[0] ?? ""]?.[attack]?.[target];
  return place === undefined ? null : table.results[place];
}

function expected(board, act, table) {
  if (act.type === "slag-called") return [{type: "card-slagged", seat: act.foe, card: act.target}];
  const called = act.type === "test-called" && table.called?.[Math.min(act.strikes, table.called.length - 1)];
  const test = called || foretold(table, act);
  if (!test) return [];
  const {seat, foe, target} = act;
  const events = [];
  if (test.result === "targetlock") events.push({type: "target-locked", seat, foe, target});
  if (test.result.startsWith("slag")) events.push({type: "card-slagged", seat: foe, card: target});
  if (test.result.endsWith("again")) events.push({type: "follow-up-earned", seat, card: act.card, foe, end: act.end ?? ""});
  return events;
}

// -- acts and events ------------------------------------------------------------------------

/** Return the card of a seat that has moved and not yet attacked, or "". */
export const movingCard = ({walk}, seat) => (walk && walk.seat === seat && !walk.attacked ? walk.card : "");

const PLAYS = ["attacked", "cover-called", "test-called", "moved", "travelled", "terrain-attacked"];

function begin(board, act) {
  const own = side(board, act.seat);
  const walk = board.walk;
  const moving = act.card && act.card === movingCard(board, act.seat);
  if (act.type === "travelled" && walk?.attacked && walk.seat === act.seat) board.walk = null;
  else if (PLAYS.includes(act.type)) {
    const earned = board.follow_up;
    const again = earned && earned.seat === act.seat && earned.card === act.card && earned.foe === act.foe;
    if (!again && !moving) {
      own.pulses += 1;
      if (act.card) (card(board, act.seat, act.card) ?? {}).played = true;
      if (own.to_play) board.current = act.seat;
    }
    const step = act.type === "travelled" ? {seat: act.seat, card: act.card, attacked: false} : null;
    Object.assign(board, {follow_up: null, drawn: null, loss: null, walk: step});
  } else if (act.type === "impulse-won") {
    Object.assign(board, {current: act.seat, follow_up: null, drawn: null, loss: null});
  } else if (act.type === "turn-passed" || act.type === "countdown-expired") {
    own.pulses = pulsesOf(own);
    if (act.type === "turn-passed") Object.assign(board, {follow_up: null, drawn: null, loss: null, walk: null});
    for (const open of ["follow_up", "drawn", "walk"]) if (board[open]?.seat === act.seat) board[open] = null;
  } else if (act.type === "flameout-called") own.flameout = true;
  else if (act.type === "target-drawn") board.drawn = {seat: act.seat, foe: act.foe, target: act.target};
  else if (act.type === "options-changed") board.depth = act.depth;
  else if (act.type === "character-spent") own.character_spent = true;
  else if (act.type === "hand-taken") own.hand = act.cards;
  if (act.type === "character-spent" && board.loss) follow(board, {...board.loss, type: "card-restored"});
  if (act.type === "slag-accepted") own.accepted = true;
}

const EVENTS = {
  "card-slagged": (board, {seat, card: name}) => {
    (card(board, seat, name) ?? {}).slagged = true;
    board.loss = {seat, card: name};
  },
  "card-restored": (board, {seat, card: name}) => {
    (card(board, seat, name) ?? {}).slagged = false;
    board.loss = null;
  },
  "target-locked": (board, {seat, foe, target}) => card(board, foe, target)?.locked_by.push(seat),
  "lock-lapsed": (board, {seat, foe, target}) => {
    const on = card(board, foe, target);
    if (on) on.locked_by = on.locked_by.filter((each) => each !== seat);
  },
  "follow-up-earned": (board, event) => { board.follow_up = event; },
  "pulses-ended": (board, {seat}) => {
    side(board, seat).to_play = false;
    for (const {cards} of board.seats) {
      for (const each of cards) each.locked_by = each.locked_by.filter((by) => by !== seat);
    }
    const left = board.seats.filter(({in_play, to_play}) => in_play && to_play);
    if (!left.some((each) => each.seat === board.current)) board.current = left.length === 1 ? left[0].seat : null;
  },
  "turn-began": (board) => {
    board.turn += 1;
    board.current = null;
    for (const each of board.seats) {
      Object.assign(each, {pulses: 0, to_play: each.in_play, flameout: false, hand: []});
      for (const own of each.cards) Object.assign(own, {played: false, locked_by: []});
    }
  },
  "seat-defeated": (board, {seat}) => Object.assign(side(board, seat), {in_play: false, to_play: false}),
  "seat-returned": (board, {seat}) => Object.assign(side(board, seat), {in_play: true}),
  "match-won": (board) => { board.over = true; },
  "match-lost": (board) => { board.over = true; },
};

const follow = (board, event) => EVENTS[event.type]?.(board, event);

/** End the pulses and turns that end by count alone, without an act. */
function settle(board) {
  for (const each of board.seats) {
    const moving = board.walk?.left === null ? null : board.walk;  // null: it is unknown how far it may still move, so do not wait for it
    const waits = board.follow_up?.seat === each.seat || moving?.seat === each.seat;
    const open = each.to_play || board.current === each.seat;
    if (each.in_play && open && each.pulses >= pulsesOf(each) && !waits) follow(board, {type: "pulses-ended", seat: each.seat});
  }
  if (!board.seats.some(({in_play, to_play}) => in_play && to_play)) follow(board, {type: "turn-began"});
}

/** Return what the board waits for: `what`, and from which `seat`. */
function awaited(board) {
  if (board.over || board.outcome) return {what: "open"};
  const lost = board.loss && fell(board, side(board, board.loss.seat)) ? side(board, board.loss.seat) : null;
  if (lost?.in_play) {
    const saves = lost.character && !lost.character_spent && !lost.accepted;
    return saves ? {what: "save", seat: lost.seat} : {what: "open"};
  }
  if (board.depth === "score") return {what: "slag"};
  const seat = board.drawn?.seat ?? board.follow_up?.seat ?? board.current;
  return seat ? {what: "pulse", seat} : {what: "impulse"};
}

/** Whether a side may be defeated; only the server can tell, so the table is asked to send. */
function fell(board, {cards}) {
  return cards.some(({ulster, slagged}) => ulster && slagged) || cards.filter(({slagged}) => !slagged).length < 3;
}
