// Translations for scripts: the English text itself, or its translation if the page brings one.

const words = JSON.parse(document.getElementById("script-words")?.textContent ?? "{}");

/** Return a text in the page's language, with each `{name}` replaced from `fields`. */
export const word = (text, fields = {}) =>
  (words[text] ?? text).replace(/\{(\w+)\}/g, (hole, name) => fields[name] ?? hole);

/** Return the singular or plural text, with the number as `{n}`. */
export const many = (n, one, more) => word(n === 1 ? one : more, {n});
