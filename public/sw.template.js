// Serves the app from this device after the first visit, also with no network.
// scripts/service-worker.sh fills in the version and the list of files.
const CACHE = "desk-__VERSION__";
const ASSETS = ["__ASSETS__"];

self.addEventListener("install", (event) =>
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(ASSETS.map((url) => new Request(url, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  ),
);

self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter((key) => key.startsWith("desk-") && key !== CACHE).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  ),
);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(request, { ignoreSearch: request.mode === "navigate" }))
      .then((hit) => hit ?? fetch(request))
      .catch(() => (request.mode === "navigate" ? caches.match("./") : Response.error())),
  );
});
