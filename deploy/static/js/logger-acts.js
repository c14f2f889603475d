// Acts: read from the page's own forms with the value types of the API, and which of them stand.

/**
 * Return the act that a form holds, or null if its type is unknown. `fields` maps each type of act to
 * its fields and their kinds. A control whose name begins with `with` carries several fields.
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
    if (name === "note") continue; // a reason is sent beside the act, not in it
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

/** Return the acts, each `{version, act}`, that stand: a taking back makes those as at a version stand again. */
export function standing(acts) {
  const at = new Map();
  let kept = [];
  for (const each of acts) {
    const {type, to} = each.act;
    if (type !== "taken-back") kept = [...kept, each];
    else kept = at.get(to) ?? kept.filter(({version}) => version <= to);
    at.set(each.version, kept);
  }
  return kept;
}
