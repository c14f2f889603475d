// While offline answer any navigation with the offline page, which lists what this device keeps.
// Nothing else is cached: every page comes from the network. The logger of a match has a worker of
// its own, which takes precedence over this one because its scope is narrower.

const RELEASE = "offline {{ release }}";
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const PAGE = "{{ page }}";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll([...FILES, PAGE])));
});

addEventListener("activate", (event) => event.waitUntil(begin()));

/** Delete the caches of older releases, and enable navigation preload while this script starts. */
async function begin() {
  for (const name of await caches.keys()) {
    if (name !== RELEASE && name.startsWith("offline ")) await caches.delete(name);
  }
  await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const {request} = event;
  const {origin, pathname} = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(event));
  else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request));
});

async function visited(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return kept(PAGE);
  }
}

/** Return the cached response, else fetch it. */
async function kept(what, request) {
  return (await (await caches.open(RELEASE)).match(what)) ?? (request ? fetch(request) : Response.error());
}
