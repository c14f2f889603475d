// Z-G in the logger: arm a half of the attacker's card, then tap a half of the foe's. The result of a
// test and the board while offline come from the results that the server precomputed.

import {fold, foretold} from "./logger-board.js";
import {afterPaint, light} from "./logger-parts.js";
import {callDesk, deskOf, score, summary, verdict} from "./logger-zg-desk.js";
import {many, word} from "./words.js";

const END = /^[RGB][+*#o]*( [RGB][+*#o]*){2}$/;

export class Game {
  constructor(logger) {
    Object.assign(this, logger);
    this.root.addEventListener("click", (event) => this.tapped(event));
    document.addEventListener("keydown", ({key}) => {
      if (key !== "Escape" || this.find(":popover-open") || !this.chosen()) return;
      this.disarm();
      this.firstKey()?.focus();
    });
  }

  get step() {
    return this.find("#lg-step");
  }

  /** Keep what was chosen for a test while the dots it lacks are entered. */
  leaving() {
    const form = this.find("#lg-act");
    if (form) this.asked = JSON.parse(JSON.stringify(this.actOf(form, null)));
  }

  /** Lay out both grids of a step in advance; the second stays hidden until it is needed. */
  drawn() {
    for (const pad of this.root.querySelectorAll(".lg-pad")) pad.hidden = false;
    const {step} = this;
    if (!step || !CSS.supports("content-visibility", "hidden")) return;
    step.dataset.laid = "";
    afterPaint(() => (step.dataset.laid = "rests"));
  }

  // -- choosing a half ------------------------------------------------------------------------

  tapped(event) {
    if (event.ctrlKey || event.metaKey) return;
    const half = event.target.closest("a[data-card]");
    const dot = event.target.closest("[data-pad] [data-key]");
    if (half) {
      event.preventDefault();
      const own = {seat: half.closest("[data-of]").dataset.of, ...half.dataset};
      if (!half.matches(":focus-visible")) return light(half, () => this.choose(own));
      this.arm(half); // the next key may be pressed already
      this.firstKey()?.focus();
    } else if (event.target.closest("[data-cancel]")) {
      event.preventDefault();
      this.disarm();
      this.refocus();
    } else if (dot) enter(dot);
  }

  /** Arm the attacker's half: the grid becomes the foe's gear. */
  arm(half) {
    const {card, end} = half.dataset;
    this.find("#lg-armed").textContent = `${card} ${end.toUpperCase()}`;
    this.step.dataset.step = "against";
    this.step.toggleAttribute("data-unknown", "unknown" in half.dataset);
    this.fill(card, end);
  }

  disarm() {
    if (!this.step) return; // it was replaced meanwhile
    this.fill("", "");
    this.step.dataset.step = "with";
  }

  fill(card, end) {
    for (const field of this.root.querySelectorAll("[data-fill]")) field.value = field.dataset.fill === "card" ? card : end;
  }

  /** Return the half that is armed. */
  chosen() {
    if (this.step?.dataset.step !== "against") return null;
    const {seat, card, end} = this.find("#lg-act").elements;
    return {seat: seat.value, card: card.value, end: end.value};
  }

  /** Arm a half, if the step has it. */
  choose({seat, card, end}) {
    const own = `[data-of="${seat}"] [data-card="${CSS.escape(card)}"][data-end="${end}"]`;
    const half = this.step?.querySelector(own);
    if (half) this.arm(half);
  }

  // -- before an act is recorded --------------------------------------------------------------

  /** Return a tap in words if its cards and strikes say more than its button's label. */
  says(form, button) {
    const {target, end} = button?.dataset ?? {};
    const {card, end: own} = form.elements;
    if (target) return `${card.value} ${own.value.toUpperCase()} > ${target} ${end.toUpperCase()}`;
    if (button?.name !== "strikes") return "";
    return `${form.dataset.told}, ${many(Number(button.value), "{n} strike", "{n} strikes")}`;
  }

  /** Complete an act and return the query of what stays chosen after it; null if recorded otherwise. */
  before(act, form, button, text) {
    const attacks = form.id === "lg-act";
    if (form.id === "lg-spin") this.spin(act);
    else if (act.type === "end-shown") this.enterDots(act, form, text);
    else if (attacks && this.lacksDots(act, button)) this.askDots(act);
    else {
      if ("retest" in form.dataset) Object.assign(act, this.powerups());
      if ("test" in form.dataset) Object.assign(act, {...this.asked, ...act});
      const query = this.armedAfter(act, form);
      if (attacks || act.type === "moved") this.disarm();
      return query;
    }
    return null;
  }

  /** Return the half that stays armed after an act: after a target is drawn the same attack follows. */
  armedAfter(act, form) {
    if (act.type !== "target-drawn") return form.elements.armed?.value ?? "";
    return new URLSearchParams({card: form.elements.card.value, end: form.elements.end.value}).toString();
  }

  /** Whether a test needs dots that nobody has entered. */
  lacksDots(act, button) {
    return act.type === "attacked" && ("unknown" in button.dataset || button.closest("#lg-step").hasAttribute("data-unknown"));
  }

  askDots(act) {
    const {card, end, foe, target, target_end} = act;
    const query = new URLSearchParams({card, end, foe, target, target_end}).toString();
    return this.isOffline() ? this.callStrikes(act) : this.refresh(query, true).catch(() => this.callStrikes(act));
  }

  /** Record the dots of an end; once none is lacking, the test they were entered for follows by itself. */
  async enterDots(act, form, text) {
    act.dots = spaced(act.dots);
    if (!END.test(act.dots)) return this.say(word("An end has three dots, as {end}.", {end: "R+ G B#"}));
    const shown = await this.record(act, {query: form.elements.armed.value, text, answered: true});
    if (shown) this.find("[data-test]")?.requestSubmit();
  }

  /** Have the table call the strikes of a test whose dots nobody entered. */
  callStrikes(act) {
    const desk = this.outbox.pocket && callDesk(this.outbox.pocket, act, this.undoable());
    if (!desk) return this.say(word("Those dots are not known."), word("Entering them needs the network."));
    this.find("#lg-desk").replaceChildren(desk);
  }

  /** Return the half turn and the blazes chosen for the next test, for a retest. */
  powerups() {
    const form = this.find("#lg-act");
    if (!form) return {};
    const {half_turn, augments, bolsters} = this.actOf(form, null);
    return JSON.parse(JSON.stringify({half_turn, augments, bolsters}));
  }

  /** SPIN: the site draws the foe's card, then its end: one tap, two acts. */
  async spin(act) {
    const {say, record} = this;
    const attack = {...this.actOf(this.find("#lg-act"), null), spin: "server", target_end: "a"};
    const {card} = attack;
    if (!act.foe) return say(word("Against whom?"), word("Choose a foe first."));
    if (this.isOffline() || this.outbox.items.length) return say(word("The site cannot spin now."), word("Spin on the table and tap what it shows."));
    if (this.find(`[data-spent="${CSS.escape(card)}"]`)) return say(word("{card} may not attack now.", {card}), word("Nothing was drawn."));
    if (this.step.hasAttribute("data-unknown")) return say(word("Those dots are not known."), word("Nothing was drawn."));
    this.disarm(); // a card that may attack again is armed by the server
    if (act.type === "attacked") return record({...attack, foe: act.foe, target: act.target});
    say(word("The site draws…"));
    const receipt = await record(act, {answered: true});
    if (receipt) await record({...attack, foe: act.foe, target: receipt.act.target});
  }

  // -- without the server ---------------------------------------------------------------------

  /** Whether the server precomputed the results of tests, so that the board can go on offline. */
  get foretells() {
    return Boolean(this.outbox.pocket?.foretold?.tests);
  }

  /** Return the result of an act as a line and as markup, or nothing if it was not precomputed. */
  foretell(act) {
    const test = foretold(this.outbox.pocket?.foretold, act);
    return test && {told: summary(test), shown: verdict(act, test, this.outbox.pocket)};
  }

  /** Show the board after acts that the server may not have received; the armed half stays armed. */
  goOn(acts) {
    const chosen = this.chosen();
    const board = fold(this.outbox.pocket, acts);
    const desk = deskOf(this.outbox.pocket, board, this.undoable());
    if (!desk) return;
    this.find("#lg-desk").replaceChildren(desk);
    score(this.find("#lg-head"), board);
    this.ready();
    const half = chosen ?? board.follow_up; // a half tapped since takes precedence
    if (half && board.next.what === "pulse") this.choose(half);
  }
}

/** Return dots as the rules read them, however they were typed: `r+gb#` is `R+ G B#`. */
function spaced(dots) {
  const signs = dots.toUpperCase().replaceAll("O", "o").replace(/\s/g, "");
  return signs.replace(/[RGB]/g, " $&").trim();
}

/** Apply a key of the dot pad: a colour begins a dot, a blaze is added to the last. */
function enter(key) {
  const field = document.getElementById(key.closest("[data-pad]").dataset.pad);
  const {key: sign} = key.dataset;
  if (!sign) field.value = "";
  else field.value = ("RGB".includes(sign) ? `${field.value} ${sign}` : field.value + sign).trim();
}
