// The words of scripts: in English as they stand, or in the language whose words the page brings.

const words = JSON.parse(document.getElementById("script-words")?.textContent ?? "{}");

/** Return a text in the page's language; each `{name}` in it is filled in from `fields`. */
export const word = (text, fields = {}) =>
  (words[text] ?? text).replace(/\{(\w+)\}/g, (hole, name) => fields[name] ?? hole);

/** Return the text for one or for more, with their number as `{n}`. */
export const many = (n, one, more) => word(n === 1 ? one : more, {n});
