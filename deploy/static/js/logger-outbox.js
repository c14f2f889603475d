// One act on its way to the server. It has its id from the start, so sending it twice records it
// once; it is kept over a reload until it was answered.

const SLOWEST = 30_000;
const wait = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    window.addEventListener("online", () => { clearTimeout(timer); resolve(); }, {once: true});
  });

export class Outbox {
  constructor(match, url) {
    this.key = `unsent ${match}`;
    this.url = url;
  }

  /** Return the act that was not answered before the page went away. */
  kept() {
    return JSON.parse(sessionStorage.getItem(this.key) ?? "null");
  }

  /** Send until the server answers; `waiting(true)` while it can not be reached. */
  async send(item, token, waiting) {
    sessionStorage.setItem(this.key, JSON.stringify(item));
    for (let pause = 1000; ; pause = Math.min(2 * pause, SLOWEST)) {
      const answer = await this.try(item, token());
      if (answer) {
        waiting(false);
        sessionStorage.removeItem(this.key);
        return answer;
      }
      waiting(true);
      await wait(pause);
    }
  }

  /** Return the answer, or null when there is none yet: no network, a server that is down or busy. */
  async try(item, token) {
    try {
      const answer = await fetch(this.url, {
        method: "POST",
        credentials: "same-origin",
        headers: {"Content-Type": "application/json", "X-CSRFToken": token},
        body: JSON.stringify(item),
      });
      if (answer.status >= 500 || answer.status === 429) return null;
      return {ok: answer.ok, status: answer.status, body: await answer.json()};
    } catch {
      return null;
    }
  }
}
