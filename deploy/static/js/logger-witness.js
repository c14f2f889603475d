// What this phone saw of a log last: a version and its hash. Whoever cuts the log back or chains it
// anew, and mends all that the server knows, does not reach the phones: each asks whether the entry
// it saw is still there, and says loudly when it is not.

const LIMIT = 100; // entries asked for at once

export class Witness {
  /** `sheet`: what is shown when the log is another, with places for the version and the hash. */
  constructor(match, sheet) {
    Object.assign(this, {key: `zgxl head ${match}`, sheet, seen: null});
    try {
      this.seen = JSON.parse(localStorage.getItem(this.key));
    } catch { /* it forgets, then */ }
    this.newest = this.seen;
    sheet.querySelector("button").addEventListener("click", () => this.accept());
  }

  /** Whether what the server said last is what was seen last. */
  get sure() {
    return this.seen?.hash === this.newest?.hash && !this.behind;
  }

  /** Take note of a head that the server names; it is kept once what was seen before is found there. */
  hear(version, hash) {
    this.last = {version, hash};
    if (!this.seen) this.keep(this.last);
    this.behind = version < this.seen.version; // a late answer, or a log that was cut
    if (this.behind) return;
    this.newest = this.last;
    if (version === this.seen.version && hash !== this.seen.hash) this.alarm();
  }

  /** Return what to ask of the server: the entry seen last, and those up to one after `version`. */
  asks(version) {
    const {seen, newest} = this;
    if (!seen) return {after: version, limit: 1};
    return {after: seen.version - 1, limit: Math.min(LIMIT, Math.max(version - seen.version, 0) + 2), seen, newest};
  }

  /** Compare what the server answered with what was seen. */
  compare({seen, newest}, entries) {
    if (!seen || seen !== this.seen) return;
    const [entry] = entries;
    if (entry?.version !== seen.version || entry.hash !== seen.hash) return this.alarm();
    this.behind = false;
    if (newest !== seen) this.keep(newest);
  }

  keep(head) {
    this.seen = head;
    this.sheet.dataset.seen = head.version;
    if ((this.newest?.version ?? 0) < head.version) this.newest = head;
    try {
      localStorage.setItem(this.key, JSON.stringify(head));
    } catch { /* it is known as long as this page is open */ }
  }

  alarm() {
    for (const name of ["version", "hash"]) {
      this.sheet.querySelector(`[data-${name}]`).textContent = this.seen[name];
    }
    if (!this.sheet.matches(":popover-open")) this.sheet.showPopover();
  }

  /** Go on from the log as the server has it now, because somebody said so. */
  accept() {
    try {
      localStorage.removeItem(this.key);
    } catch { /* there is none, then */ }
    location.reload();
  }
}
