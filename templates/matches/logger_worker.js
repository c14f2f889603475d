// Keeps the logger at hand where there is no network: its page without a match, and what that
// page is made of. Acts, boards and every other page are the network's alone. A new release has
// other files, so this file is another one, and takes the place of the one before.

const RELEASE = `{{ release }} ${registration.scope}`; // each match keeps its own
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const SHELL = `${registration.scope}?part=shell`;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll([...FILES, SHELL])));
});

addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => clients.claim()));
});

/** Drop what older releases kept of this match. */
async function forget() {
  for (const name of await caches.keys()) {
    if (name !== RELEASE && name.endsWith(` ${registration.scope}`)) await caches.delete(name);
  }
}

addEventListener("fetch", (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(event));
  else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request));
});

/** Return the page from the network, and the shell where there is none. */
async function visited(event) {
  try {
    const page = await fetch(event.request);
    if (page.ok && !page.redirected) event.waitUntil(caches.open(RELEASE).then((cache) => cache.add(SHELL)).catch(() => {}));
    return page;
  } catch {
    return kept(SHELL);
  }
}

/** Return what is kept, else ask for it. */
async function kept(what, request) {
  return (await (await caches.open(RELEASE)).match(what)) ?? (request ? fetch(request) : Response.error());
}
