// Keep the logger available offline: cache its page without a match, and that page's files. Acts,
// boards and every other page always come from the network. A new release has other files, so this
// script differs and replaces the previous one.

const RELEASE = `logger {{ release }} ${registration.scope}`; // each match has its own cache
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const SHELL = `${registration.scope}?part=shell&release={{ release }}`; // of no other release: its files are not here

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll([...FILES, SHELL])));
});

addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => clients.claim()));
});

/** Delete the caches of older releases for this match. */
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

/** Return the page from the network, or the cached shell when offline. */
async function visited(event) {
  try {
    const page = await fetch(event.request);
    if (page.ok && !page.redirected) event.waitUntil(caches.open(RELEASE).then((cache) => cache.add(SHELL)).catch(() => {}));
    return page;
  } catch {
    return kept(SHELL);
  }
}

/** Return the cached response, else fetch it. */
async function kept(what, request) {
  return (await (await caches.open(RELEASE)).match(what)) ?? (request ? fetch(request) : Response.error());
}
