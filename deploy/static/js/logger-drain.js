// Drain the outbox: send its acts in order, one at a time, each retried until the server answers.
// A refusal stops the queue; so does an answer that nobody is signed in.

import {tell} from "./logger-parts.js";

const SLOWEST = 30_000;

export class Drain {
  /**
   * `url` takes the acts; `headers(item)` returns the headers for each; `heard(what, item, answer)` is
   * called with `what` one of `waiting sent proposed refused stands signed-out empty`, where `stands`
   * means that the first act was refused earlier and still blocks the queue.
   */
  constructor(outbox, url, headers, heard) {
    Object.assign(this, {outbox, url, headers, heard, running: null, wake: () => {}});
    addEventListener("online", () => this.run());
  }

  /** Send what waits; the promise resolves when that is done. If already running, retry at once. */
  run() {
    this.wake();
    this.again = true;
    this.running ??= this.sendAll().finally(() => { this.running = null; });
    return this.running;
  }

  async sendAll() {
    while (this.again) await alone(`outbox ${this.outbox.match}`, () => this.empty());
  }

  async empty() {
    this.again = false;
    await this.outbox.reload(); // another window may have sent some
    for (let item, pause = 1000; (item = this.outbox.items[0]); ) {
      if (item.problem) return this.heard("stands", item);
      const answer = await this.send(item);
      const what = meaning(answer);
      if (what === "waiting") {
        this.heard(what, item);
        await this.sleep(pause);
        pause = Math.min(2 * pause, SLOWEST);
        continue;
      }
      pause = 1000;
      if (what === "sent") await this.outbox.took(item, answer.body);
      else if (what === "proposed") await this.outbox.drop(item);
      else if (what === "refused") await this.refuse(item, answer.body);
      await this.heard(what, item, answer);
      if (what === "signed-out" || what === "refused") return;
    }
    await this.heard("empty");
  }

  async refuse(item, problem) {
    item.problem = problem;
    await this.outbox.keep(item);
  }

  sleep(pause) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      this.wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  /** Return the answer, or null if there is none yet: no network, or a server that is down or busy. */
  async send(item) {
    const {id, act, after, irregular, note, said_at} = item;
    if (!item.tried) {
      item.tried = true; // from here on it may be in the log
      await this.outbox.keep(item);
    }
    try {
      const answer = await tell(this.url, {id, act, after, irregular, note, said_at}, this.headers(item));
      if (answer.status >= 500 || answer.status === 429) return null;
      return {ok: answer.ok, status: answer.status, body: await answer.json()};
    } catch {
      return null;
    }
  }
}

const SIGN_IN = ["not-authenticated", "not-allowed", "permission-denied", "not-found"];

function meaning(answer) {
  if (!answer) return "waiting";
  if (answer.ok) return "sent";
  const {code, proposal} = answer.body;
  if (code === "not-the-scribe" && proposal) return "proposed";
  return [401, 403, 404].includes(answer.status) && SIGN_IN.includes(code) ? "signed-out" : "refused";
}

/** Run `work` while no other window of this browser does, under a Web Lock. */
const alone = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : work());
