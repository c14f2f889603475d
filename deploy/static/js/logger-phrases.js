// The logger's forms in words: a tap as a line of the outbox, and what is still to be chosen.

import {many, word} from "./words.js";

/** Return a short phrase for a tap on a form's button. `titles` has the name of each type of act. */
export function phraseOf(form, button, titles) {
  const {count, one, more, told} = form.dataset;
  if (count) return many(Number(form.elements[count].value), one, more);
  if (told) return [told, entered(form)].filter(Boolean).join(": ");
  const label = labelOf(button);
  const {card, piece, type} = form.elements;
  const named = [card, piece].find((each) => each?.type === "hidden" && each.value);
  const subject = named?.value ?? titles[type.value];
  return !subject || label.startsWith(subject) ? label : `${subject}: ${label}`;
}

function labelOf(button) {
  const parts = [...(button?.childNodes ?? [])].map((part) => part.textContent);
  return (button?.ariaLabel || parts.join(" ")).replace(/\s+/g, " ").trim();
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
