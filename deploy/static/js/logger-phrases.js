// The logger's forms in words: a tap as a line of the outbox, and what is still to be chosen.

import {many, word} from "./words.js";

/**
 * Return a short phrase for a tap on a form's button. `titles` has the name of each type of act.
 *
 * The form or the button may have the phrase as `data-told`, empty for the act's name alone. A label
 * marked `data-whole` says it all; any other follows the card it is about, or the act's name. What a button
 * shows may be more than its label: then the label is in `data-label`.
 */
export function phraseOf(form, button, titles) {
  const {count, one, more} = form.dataset;
  if (count) return many(Number(form.elements[count].value), one, more);
  const {card, piece, type} = form.elements;
  const title = titles[type.value] ?? "";
  const told = button?.dataset.told ?? form.dataset.told;
  if (told !== undefined) return [told || title, entered(form)].filter(Boolean).join(": ");
  const label = labelOf(button) || title;
  const named = [card, piece].find((each) => each?.type === "hidden" && each.value);
  const subject = named?.value ?? title;
  const whole = "whole" in (button?.dataset ?? {}) || label.startsWith(title) || label.includes(subject);
  return whole ? label : `${subject}: ${label}`;
}

/** Return what a key is called. */
export function labelOf(button) {
  const parts = [...(button?.childNodes ?? [])].map((part) => part.textContent);
  return (button?.dataset.label || button?.ariaLabel || parts.join(" ")).replace(/\s+/g, " ").trim();
}

/** Return what was chosen or typed in a form, in the form's own words. */
function entered(form) {
  return [...form.elements]
    .filter((each) => each.name && !each.matches("button, [type=hidden]"))
    .filter((each) => (each.matches("[type=checkbox], [type=radio]") ? each.checked : each.value))
    .map((each) => (each.selectedOptions?.[0] ?? each.closest("label"))?.textContent.trim() ?? each.value)
    .join(", ");
}

/** Return a sentence that asks for the choices a form still lacks, or null if it is complete. */
export function lacking(form) {
  const short = [...form.querySelectorAll("[data-least]")].find(
    (group) => group.querySelectorAll(":checked").length < Number(group.dataset.least),
  );
  if (!short) return null;
  const {least: n, what} = short.dataset;
  if (what) return word("{what}: choose {n} first.", {what, n});
  return Number(n) === 1 ? word("Choose a card first.") : word("Choose {n} cards first.", {n});
}
