// Acts from the page's own forms, in the exact types of the API.

/**
 * Return the act a form holds, null when it is of no known type. `fields`: of each type of act,
 * with the kind of each. A name that begins with `with` carries several fields.
 */
export function readAct(fields, form, button) {
  const given = new Map();
  const add = (name, value) => given.set(name, [...(given.get(name) ?? []), value]);
  for (const [name, value] of new FormData(form, button)) {
    if (!name.startsWith("with")) add(name, value);
    else for (const [part, inner] of new URLSearchParams(value)) add(part, inner);
  }
  const type = given.get("type")?.at(-1);
  if (!fields[type]) return null;
  const act = {type};
  for (const [name, kind] of Object.entries(fields[type])) {
    if (name === "note") continue; // a reason goes beside the act
    const values = (given.get(name) ?? []).filter((value) => value !== "");
    if (values.length) act[name] = typed(kind, values);
  }
  return act;
}

function typed(kind, values) {
  const last = values.at(-1);
  if (kind === "number") return Number(last);
  if (kind === "flag") return last === "true";
  if (kind === "numbers") return values.map(Number).sort((a, b) => a - b);
  return kind === "texts" ? values : last;
}
