// Poll the log while the logger is open: what others record, what changes beside the score, and the
// state that this phone keeps for when it is offline.

const EVERY = 5000; // ms between polls of the log
const HIDDEN = 60_000; // the same while the page is hidden
const BESIDE = 15_000; // ms between polls of the panels beside the score
const IDLE = 1200; // ms without a tap before the state is stored

export class Watch {
  /**
   * `page` is what this module needs of the logger: `root find outbox drain witness`, and the
   * functions `version() isBusy() refresh(query, keepSaid) online(yes) ask(url)`.
   */
  constructor(page) {
    Object.assign(this, page);
    this.timer = 0;
    this.packing = 0;
    this.besideAt = 0; // when the panels were last polled
  }

  /** Poll the log now, and then every few seconds. */
  follow() {
    clearTimeout(this.timer);
    this.look()
      .catch(() => this.online(false))
      .finally(() => this.followIn(document.hidden ? HIDDEN : EVERY));
  }

  followIn(ms = EVERY) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.follow(), ms);
  }

  /** Poll at once, as the page is visible again. */
  returned() {
    this.besideAt = 0;
    if (!document.hidden) this.follow();
  }

  /** Check that the log still holds what it held, and show what is new; choices are kept. */
  async look() {
    const {root, outbox, drain, witness} = this;
    if (this.isBusy() || this.find(":popover-open, [data-stays]")) return;
    if (outbox.items.length || drain.running) await (drain.running ?? drain.run()); // leave its message on the page
    if (outbox.items.length && !outbox.items[0].problem) return;
    const asked = witness.asks(this.version());
    const answer = await this.ask(`${root.dataset.events}?after=${asked.after}&limit=${asked.limit}`);
    if (!answer.ok) return;
    this.online(true);
    if ("shell" in root.dataset) return location.replace(root.dataset.table);
    const {entries, last} = await answer.json();
    witness.compare(asked, entries);
    const changed = last > this.version() || (await this.scribeChanged());
    if (changed && !this.isBusy()) await this.refresh("", outbox.items.length > 0);
    this.online(true);
  }

  /**
   * Refresh the panels beside the score (such as a round's clock) now and then. Return whether the
   * scribe, or what waits for the scribe, has changed.
   */
  async scribeChanged() {
    if (Date.now() - this.besideAt < BESIDE) return false;
    this.besideAt = Date.now();
    const answer = await this.ask(`${this.root.dataset.table}?part=beside`);
    if (!answer.ok) return false;
    const {pen, panels} = await answer.json();
    const beside = this.find("#lg-panels");
    if (beside.told !== panels) Object.assign(beside, {innerHTML: panels, told: panels});
    return pen !== this.find("#lg-head").dataset.pen;
  }

  /** Store the server's state, with its desks and its table of results, once nobody taps. */
  packSoon() {
    clearTimeout(this.packing);
    this.packing = setTimeout(() => this.pack().catch(() => {}), IDLE);
  }

  async pack() {
    const {outbox, root} = this;
    const old = outbox.pocket;
    const isSame = old?.version === this.version() && old.recorder === root.dataset.recorder;
    if (isSame && !outbox.items.length) return;
    const answer = await this.ask(`${root.dataset.table}?part=pocket&ends=${old?.ends ?? ""}`);
    if (!answer.ok) return;
    const pocket = await answer.json();
    if (pocket.version >= (outbox.pocket?.version ?? 0)) await outbox.pack({foretold: old?.foretold, ...pocket});
  }
}
