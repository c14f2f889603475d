// The head of the log as this phone last saw it: a version and its hash. An attacker who truncates or
// rehashes the log, and adjusts everything the server knows, cannot reach the phones: each checks
// that the entry it saw is still there, and raises an alarm if it is not.

const LIMIT = 100; // entries per request

export class Witness {
  /** `sheet` is the alarm, with places for the version and the hash. */
  constructor(match, sheet) {
    Object.assign(this, {key: `zgxl head ${match}`, sheet, seen: null});
    try {
      this.seen = JSON.parse(localStorage.getItem(this.key));
    } catch { /* then nothing is remembered */ }
    this.newest = this.seen;
    sheet.querySelector("button").addEventListener("click", () => this.accept());
  }

  /** Whether the server's latest head is the one seen last. */
  get sure() {
    return this.seen?.hash === this.newest?.hash && !this.behind;
  }

  /** Take note of a head from the server; it is stored once the one seen before is confirmed. */
  hear(version, hash) {
    this.last = {version, hash};
    if (!this.seen) this.keep(this.last);
    this.behind = version < this.seen.version; // a late answer, or a log that was cut
    if (this.behind) return;
    this.newest = this.last;
    if (version === this.seen.version && hash !== this.seen.hash) this.alarm();
  }

  /** Return the request to make: the entry seen last, and those up to one after `version`. */
  asks(version) {
    const {seen, newest} = this;
    if (!seen) return {after: version, limit: 1};
    return {after: seen.version - 1, limit: Math.min(LIMIT, Math.max(version - seen.version, 0) + 2), seen, newest};
  }

  /** Compare the server's entries with the head seen last. */
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
    } catch { /* then it is remembered only while this page is open */ }
  }

  alarm() {
    for (const name of ["version", "hash"]) {
      this.sheet.querySelector(`[data-${name}]`).textContent = this.seen[name];
    }
    if (!this.sheet.matches(":popover-open")) this.sheet.showPopover();
  }

  /** Forget the head seen last and accept the server's log as it is now, at the user's word. */
  accept() {
    try {
      localStorage.removeItem(this.key);
    } catch { /* then there is none */ }
    location.reload();
  }
}
