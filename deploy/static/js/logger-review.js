// The sheet that lists unsent acts, and what can be done about one that the server refused. An act
// leaves the list only by a tap or by being recorded.

import {ANOTHER} from "./logger-outbox.js";
import {element} from "./logger-parts.js";
import {word} from "./words.js";

const key = (text, what, alarm = false) => {
  const button = element("button", alarm ? "btn alarm" : "btn", text);
  button.type = "button";
  button.dataset.review = what;
  return button;
};

/** Return the reason for a refusal as parts of text; the cited clause links to the rules. */
export function reason({detail = word("That was not recorded."), clause = "", code = ""}) {
  if (code === "moved-on") return [word("Someone else logged meanwhile.")];
  const text = detail.includes(clause) ? detail : `${detail} ${clause}`;
  const {rules} = document.getElementById("logger").dataset;
  if (!clause || !rules) return [text];
  const link = element("a", "clause", clause);
  link.href = `${rules}#${clause.slice(3).replaceAll(" ", "-")}`;
  const at = text.lastIndexOf(clause);
  return [text.slice(0, at), link, text.slice(at + clause.length)];
}

/**
 * Return the buttons for a refused act: send it differently, or drop it. `more` acts follow it. Once the match
 * `isOver` no other act can take its place. `isMine`: it was written under whom this page is for.
 */
export function keys({code}, more, isOver, isMine) {
  const found = [];
  if (code === ANOTHER) found.push(isMine ? key(word("Send it again"), "retry") : key(word("Log it in my name"), "mine", true));
  if (code === "irregular") found.push(key(word("It stood: log it anyway"), "stood", true));
  if (["moved-on", "after-unknown"].includes(code)) found.push(key(word("Log it after that"), "after", true));
  if (code === "not-the-scribe") found.push(key(word("Take over"), "take", true), key(word("Send as proposals"), "propose"));
  if (!isOver && code !== ANOTHER) found.push(key(word("Tap it again"), "again"));
  found.push(key(word("Drop it"), "drop"));
  if (more) found.push(key(word("Drop it and the {n} after it", {n: more}), "all"));
  return found;
}

/** Fill the sheet with the unsent acts. */
export function list(sheet, items, isOver, isMine) {
  const lines = element("ol", "lg-lines");
  for (const item of items) {
    const line = element("li", item.problem ? "refused" : "", item.text);
    if (item.told) line.append(element("span", "soft", ` ${item.told}`));
    if (item.problem) line.appendChild(element("p")).append(...reason(item.problem));
    lines.append(line);
  }
  const [first] = items;
  const choices = element("div", "btns");
  if (first?.problem) choices.append(...keys(first.problem, items.length - 1, isOver, isMine(first)));
  else if (first) choices.append(key(word("Undo: {act}", {act: items.at(-1).text}), "undo"));
  const stopped = first?.problem && items.length > 1;
  const shown = sheet.querySelector("[data-lines]");
  const fresh = shown.cloneNode();
  if (stopped) fresh.append(element("p", "", word("The first was refused. Those after it stay on this phone and are sent once you decide about it.")));
  fresh.append(lines, choices);
  if (!fresh.isEqualNode(shown)) shown.replaceWith(fresh); // else a button keeps the focus
}
