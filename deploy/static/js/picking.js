// Make the admin's autocomplete pickers accessible to screen readers: name each box by its field's
// label, and expose its list of selected values, which holds more than list items, as plain text.

const NAMED = '[role="combobox"], [role="textbox"], [role="searchbox"]';

function name(box, label) {
  const shown = box.querySelector('[role="textbox"]')?.id ?? "";
  for (const part of box.querySelectorAll(NAMED)) {
    const says = part.matches('[role="combobox"]') ? `${label} ${shown}`.trim() : label;
    part.setAttribute("aria-labelledby", says);
  }
  for (const part of box.querySelectorAll(".select2-selection__rendered, .select2-selection__rendered > li")) {
    if (part.matches("ul, li")) part.setAttribute("role", "presentation");
  }
}

function nameAll() {
  for (const select of document.querySelectorAll("select.admin-autocomplete")) {
    const label = document.querySelector(`label[for="${CSS.escape(select.id)}"]`);
    const box = select.nextElementSibling;
    if (!label || !box?.matches(".select2-container")) continue;
    label.id ||= `${select.id}-label`;
    name(box, label.id);
    const list = document.querySelector("body > .select2-container--open");
    if (list && box.matches(".select2-container--open")) name(list, label.id);
  }
}

new MutationObserver(nameAll).observe(document.body, {childList: true, subtree: true});
nameAll();
