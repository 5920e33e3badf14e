// What every journey needs: the built app behind a server that can be stopped, Chromium profiles on disk,
// and a record of console errors and of requests to anything but the app's own files.
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
};
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Serves dist/ on a port of its own; `stop` also ends open connections, so that offline means offline. */
export async function serve(root = process.env.DIST ?? "dist") {
  assert.ok(existsSync(join(root, "index.html")), "dist/ is missing: run `make build` first");
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://desk").pathname)).replace(/^(\.\.[/\\])+/, "");
    const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** A browser profile on disk, as one person has it; it survives `kill`. */
export async function profile(options = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "desk-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: flags,
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
    permissions: ["clipboard-read", "clipboard-write"],
    ...options.context,
  });
  context.setDefaultTimeout(15_000);
  const trouble = [];
  const watch = (page) => {
    page.on("console", (message) => message.type() === "error" && trouble.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => trouble.push(`page: ${error.message}`));
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (!["data:", "blob:", "about:"].includes(protocol) && hostname !== "127.0.0.1") trouble.push(`request: ${request.url()}`);
    });
  };
  context.pages().forEach(watch);
  context.on("page", watch);
  return {
    context,
    folder,
    trouble,
    page: () => context.pages()[0] ?? context.newPage(),
    /** Nothing may have gone wrong on the way. */
    clean: () => assert.deepEqual(trouble, []),
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
    /** Ends the browser and keeps the profile, as a crash or a power cut does. */
    leave: () => context.close(),
  };
}

/** Opens the app and waits until it is ready for input. */
export async function open(page, url) {
  await page.goto(url);
  await page.locator("[data-app-ready]").waitFor({ state: "attached" });
}

/** Waits until the service worker serves this page. */
export async function installed(page) {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(async () => (await caches.keys()).some((key) => key.startsWith("desk-")));
}
