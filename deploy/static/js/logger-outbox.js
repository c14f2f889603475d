// The outbox: the acts of one match that are not sent yet, in IndexedDB. An act is written here
// before the screen says that it is saved; it has its id from the start, so sending is idempotent. It
// also names under whom it was written, so that it is never recorded as somebody else's. A phone that
// has no room, or allows no database, has them in this page alone: then `forgets` is set.
// The database also holds the last state from the server (the pocket) and the acts sent since.

const STORES = ["acts", "sent", "pockets"];

/** The code of the refusal of an act that was written under another account. */
export const ANOTHER = "another-recorder";

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function database() {
  const request = indexedDB.open("zgxl", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("acts", {keyPath: "n", autoIncrement: true}).createIndex("match", "match");
    request.result.createObjectStore("sent", {keyPath: ["match", "version"]}).createIndex("match", "match");
    request.result.createObjectStore("pockets", {keyPath: "match"});
  };
  return done(request);
}

export class Outbox {
  /** `items`: the acts that wait, in order; `sent`: those the server accepted since `pocket`. */
  static async open(match) {
    const outbox = new Outbox();
    Object.assign(outbox, {match, changes: 0, forgets: false, items: [], sent: []});
    try {
      outbox.db = await database();
      await outbox.load();
    } catch {
      outbox.forgets = true;
    }
    for (const item of outbox.items) {
      if (item.problem?.code !== ANOTHER) continue;
      item.problem = null; // it may be sent by whoever is signed in now
      await outbox.keep(item);
    }
    return outbox;
  }

  async load() {
    const reading = this.db.transaction(STORES);
    const mine = (name) => done(reading.objectStore(name).index("match").getAll(this.match));
    const pocket = done(reading.objectStore("pockets").get(this.match));
    [this.items, this.sent, this.pocket] = await Promise.all([mine("acts"), mine("sent"), pocket]);
  }

  /** Reload what waits: another window may have sent or added some. */
  async reload() {
    if (this.forgets) return;
    let rows, before;
    do {
      before = this.changes;
      rows = await done(this.db.transaction("acts").objectStore("acts").index("match").getAll(this.match));
    } while (before !== this.changes);
    const known = new Map(this.items.map((item) => [item.n, item]));
    this.items = rows.map((row) => Object.assign(known.get(row.n) ?? {}, row));
  }

  /** Run `work` in a write transaction; it is durable when this returns, unless this phone forgets. */
  async write(work) {
    this.changes += 1;
    try {
      return await this.commit(work);
    } catch {
      this.forgets = true;
    } finally {
      this.changes += 1;
    }
  }

  async commit(work) {
    const change = this.db.transaction(STORES, "readwrite", {durability: "strict"});
    const asked = work((name) => change.objectStore(name));
    await new Promise((resolve, reject) => {
      change.oncomplete = resolve;
      change.onerror = change.onabort = () => reject(change.error);
    });
    return asked?.result;
  }

  /** Append an act; it follows the last one here, else the last sent or, if newer, version `head` of the log. */
  async add(given, head) {
    const after = this.items.at(-1)?.id ?? Math.max(head, this.sent.at(-1)?.version ?? 0);
    const item = {...given, match: this.match, id: uuid(), after, said_at: new Date().toISOString()};
    item.n = (await this.write((store) => store("acts").add(item))) ?? Date.now();
    const there = this.items.find(({n}) => n === item.n); // reloaded in the meantime
    if (!there) this.items.push(item);
    return there ?? item;
  }

  async keep(item) {
    await this.write((store) => store("acts").put(item));
  }

  /** Remove an act, or with `all` every later one too; the next act then follows what this one followed. */
  async drop(item, all = false) {
    const place = this.items.indexOf(item);
    if (place < 0) return; // another window removed it meanwhile
    const next = this.items[place + 1];
    const gone = this.items.splice(place, all ? Infinity : 1);
    if (next && !all) next.after = item.after;
    await this.write((store) => {
      for (const each of gone) store("acts").delete(each.n);
      if (next && !all) store("acts").put(next);
    });
  }

  /** Replace an act by another, with a new id. */
  async replace(item, given) {
    const next = this.items[this.items.indexOf(item) + 1];
    Object.assign(item, given, {id: uuid(), problem: null, tried: false});
    if (next) next.after = item.id;
    await this.write((store) => {
      store("acts").put(item);
      if (next) store("acts").put(next);
    });
  }

  /** Move the first act, which the server accepted, to `sent`, with its consequences; the next one follows its version. */
  async took(item, receipt) {
    const kept = {match: this.match, version: receipt.version, act: receipt.act, text: item.text, consequences: receipt.consequences};
    this.items.splice(this.items.indexOf(item), 1);
    this.sent.push(kept);
    const [next] = this.items;
    if (next) next.after = receipt.version;
    await this.write((store) => {
      store("acts").delete(item.n);
      if (next) store("acts").put(next);
      store("sent").put(kept);
    });
  }

  /** Store a newer state, and drop the sent acts that it includes. */
  async pack(pocket) {
    this.pocket = {...pocket, match: this.match};
    const old = this.sent.filter(({version}) => version <= pocket.version);
    this.sent = this.sent.filter(({version}) => version > pocket.version);
    await this.write((store) => {
      store("pockets").put(this.pocket);
      for (const {version} of old) store("sent").delete([this.match, version]);
    });
  }
}

function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
