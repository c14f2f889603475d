// Where there is no network, a page that is asked for is answered by our own offline page, which
// names what this device keeps. Nothing else is kept here: every page is the network's alone. The
// logger of a match has a worker of its own, which goes before this one.

const RELEASE = "{{ release }}";
const FILES = [{% for file in files %}"{{ file }}"{% if not forloop.last %}, {% endif %}{% endfor %}];
const PAGE = "{{ page }}";

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(RELEASE).then((cache) => cache.addAll([...FILES, PAGE])));
});

addEventListener("activate", (event) => event.waitUntil(begin()));

/** Drop what older releases kept, and let the browser ask for pages while this script starts. */
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

/** Return what is kept, else ask for it. */
async function kept(what, request) {
  return (await (await caches.open(RELEASE)).match(what)) ?? (request ? fetch(request) : Response.error());
}
