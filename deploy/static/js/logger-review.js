// The sheet of what is not sent yet: each act as a line, and what can be done about one that the
// server refused. Nothing leaves it but by a tap or by being recorded.

import {element} from "./logger-desk.js";

const key = (text, what, alarm = false) => {
  const button = element("button", alarm ? "btn alarm" : "btn", text);
  button.type = "button";
  button.dataset.review = what;
  return button;
};

/** Return the reason an act was refused for, in words. */
export function reason({detail = "That was not recorded.", clause = "", code = ""}) {
  if (code === "moved-on") return "Someone else logged meanwhile.";
  return detail.includes(clause) ? detail : `${detail} ${clause}`;
}

/** Return the keys that fit a refused act: send it otherwise, or drop it. `more` follow it. */
export function keys({code}, more) {
  const found = [];
  if (code === "irregular") found.push(key("It stood: log it anyway", "stood", true));
  if (["moved-on", "after-unknown"].includes(code)) found.push(key("Log it after that", "after", true));
  if (code === "not-the-scribe") found.push(key("Take over", "take", true), key("Send as proposals", "propose"));
  found.push(key("Tap it again", "again"), key("Drop it", "drop"));
  if (more) found.push(key(`Drop it and the ${more} after it`, "all"));
  return found;
}

/** Fill the sheet with what waits. */
export function list(sheet, items) {
  const lines = element("ol", "lg-lines");
  for (const item of items) {
    const line = element("li", item.problem ? "refused" : "", item.text);
    if (item.told) line.append(element("span", "soft", ` ${item.told}`));
    if (item.problem) line.append(element("p", "", reason(item.problem)));
    lines.append(line);
  }
  const [first] = items;
  const choices = element("div", "btns");
  if (first?.problem) choices.append(...keys(first.problem, items.length - 1));
  sheet.querySelector("[data-lines]").replaceChildren(lines, choices);
}
