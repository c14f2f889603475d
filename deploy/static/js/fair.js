// Recompute every draw of the site in this browser from the revealed seed, by the algorithm of
// rules/fair.py: HMAC-SHA-256 over length-prefixed texts, with rejection sampling (numbers past
// the last whole multiple of the sides are thrown away).

import {word} from "./words.js";

const fair = document.getElementById("fair");
const verdict = document.getElementById("verdict");
const {log, seed, commitment} = fair.dataset;
const ALL = 2n ** 256n;

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Concatenate texts, each preceded by its length as eight bytes. */
function prefixed(...texts) {
  const parts = texts.map((text) => new TextEncoder().encode(text));
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + 8 + part.length, 0));
  let place = 0;
  for (const part of parts) {
    new DataView(joined.buffer).setBigUint64(place, BigInt(part.length));
    joined.set(part, place + 8);
    place += 8 + part.length;
  }
  return joined;
}

/** Return the result of draw `n`, from 0 to sides - 1. */
async function draw(key, n, purpose, sides) {
  const limit = ALL - (ALL % sides);
  for (let attempt = 0; ; attempt++) {
    const signed = await crypto.subtle.sign("HMAC", key, prefixed(log, n, purpose, String(attempt)));
    const number = BigInt(`0x${hex(signed)}`);
    if (number < limit) return Number(number % sides);
  }
}

async function check() {
  const kept = hex(await crypto.subtle.digest("SHA-256", bytes(seed))) === commitment;
  const key = await crypto.subtle.importKey("raw", bytes(seed), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
  const rows = [...fair.querySelectorAll("tr[data-n]")];
  let agreeing = 0;
  for (const row of rows) {
    const {n, purpose, sides, index, values} = row.dataset;
    const found = await draw(key, n, purpose, BigInt(sides));
    const agrees = found === Number(index);
    agreeing += agrees;
    row.querySelector("[data-check]").textContent = agrees ? word("✓ agrees") : word("✗ differs: {value}", {value: JSON.parse(values)[found]});
  }
  const secret = kept
    ? word("Computed again in this browser: the secret is the promised one.")
    : word("Computed again in this browser: the secret is not the promised one.");
  return rows.length ? `${secret} ${word("{n} of {all} draws agree.", {n: agreeing, all: rows.length})}` : secret;
}

if (seed) {
  verdict.hidden = false;
  verdict.textContent = globalThis.crypto?.subtle
    ? await check()
    : word("This browser computes it again only over a secure connection (https).");
}
