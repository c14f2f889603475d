// The offline page: list the matches this device keeps, each with its number of unsent acts.

const place = document.getElementById("kept");
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Return what the loggers stored on this device: boards by match, and unsent acts for each. */
async function kept() {
  const opening = indexedDB.open("zgxl");
  opening.onupgradeneeded = () => opening.transaction.abort(); // no logger was here yet: leave the database to it
  const db = await done(opening);
  const reading = db.transaction(["pockets", "acts"]);
  const [pockets, acts] = await Promise.all(["pockets", "acts"].map((name) => done(reading.objectStore(name).getAll())));
  db.close();
  const codes = new Set([...pockets, ...acts].map(({match}) => match));
  return [...codes].map((code) => ({
    code,
    title: pockets.find(({match}) => match === code)?.title ?? "",
    waits: acts.filter(({match}) => match === code).length,
  }));
}

function line({code, title, waits}) {
  const item = place.querySelector("template").content.firstElementChild.cloneNode(true);
  const link = item.querySelector("a");
  link.href = place.dataset.table.replace("CODE", encodeURIComponent(code));
  link.textContent = title || code;
  item.querySelector("[data-code]").textContent = title ? code : "";
  const more = item.querySelector("[data-waits]");
  more.hidden = !waits;
  more.querySelector("b").textContent = waits;
  return item;
}

const found = await kept().catch(() => []);
place.querySelector("ul").replaceChildren(...found.map(line));
place.querySelector("ul").hidden = !found.length;
place.querySelector("[data-none]").hidden = found.length > 0;

let leaving = false; // a tapped link must not be overridden by a reload
addEventListener("click", (event) => { leaving ||= Boolean(event.target.closest("a[href]")); });
addEventListener("online", () => { if (!leaving) location.reload(); });
