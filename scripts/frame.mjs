// What one edit costs in Chromium: main-thread work from the input event until the frame that shows the new state, from
// a trace of the built app (dist/), at 200, 1,000 and 2,000 elements; and what each step of a hand costs that pans or zooms. A report,
// not a test: figures depend on the machine.
//
// The times are of the processor, not of the clock, so that other programs disturb them little.
import { openFile } from "../tests/e2e/desk.mjs";
import { large, OF_CHAIN } from "../tests/e2e/large.mjs";
import { open, profile, serve } from "../tests/e2e/support.mjs";

const SIZES = (process.env.SIZES ?? "200,1000,2000").split(",").map(Number);
/** A design holds at most 2,000 elements, and one is added. */
const MOST_CHAINS = 199;
const EDITS = Number(process.env.EDITS ?? 100);
const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing", "v8", "v8.execute"];
/** What counts as script: the outermost of these in a task. */
const SCRIPT = new Set(["EventDispatch", "FunctionCall", "RunMicrotasks", "FireAnimationFrame", "TimerFire", "EvaluateScript", "FireIdleCallback"]);

/** Marks, in the page: the input of an edit, when its outcome stands in the page, and each review that the app runs. */
function watch() {
  let wanted = () => false;
  let waiting = false;
  const counts = { made: 0, gone: 0, reviews: 0 };
  const size = (node) => 1 + [...node.childNodes].reduce((sum, child) => sum + size(child), 0);
  const desk = (window.deskWatch = {
    count: false,
    counts,
    done: false,
    /** The next key press is an edit; `holds` says when its outcome stands in the page. */
    expect(holds) {
      wanted = holds;
      waiting = true;
      desk.done = false;
      Object.assign(counts, { made: 0, gone: 0, reviews: 0 });
    },
  });
  window.addEventListener("keydown", () => waiting && performance.mark("edit:input"), true);
  new PerformanceObserver((list) => (counts.reviews += list.getEntriesByName("review").length)).observe({ entryTypes: ["mark"] });
  new MutationObserver((records) => {
    if (desk.count) {
      for (const { addedNodes, removedNodes } of records) {
        addedNodes.forEach((node) => (counts.made += size(node)));
        removedNodes.forEach((node) => (counts.gone += size(node)));
      }
    }
    if (waiting && wanted()) {
      waiting = false;
      performance.mark("edit:shown");
      requestAnimationFrame(() => requestAnimationFrame(() => (desk.done = true)));
    }
  }).observe(document.querySelector(".app"), { childList: true, characterData: true, attributes: true, subtree: true });
}

const idle = async (page) => {
  await page.locator("[data-saved=OnDevice]").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 30), { timeout: 2_000 })));
};

/** The three edits that are measured: a setting that changes a verdict, a step of an element, a new element. */
const KINDS = {
  async setting(page, n) {
    // Below a minute, so that the verdict prints it in seconds.
    const value = 31 + (n % 28);
    const row = page.locator("[data-pane=inspector] .setting[data-setting=watermark_delay]");
    await row.locator(".setting-name").click();
    await row.locator("[data-entry]").fill(`${value}s`);
    await idle(page);
    await page.evaluate((text) => window.deskWatch.expect(() => document.querySelector("[data-consumer]").textContent.includes(text)), `${value} s`);
    await page.keyboard.press("Enter");
  },
  async move(page, n) {
    await page.locator("[data-pane=canvas] [role=application]").focus();
    await idle(page);
    await page.evaluate(() => {
      const element = document.querySelector(`.cv-el[data-element-id=${document.querySelector("[data-inspected]").dataset.inspected}]`);
      const before = element.style.transform;
      window.deskWatch.expect(() => element.style.transform !== before);
    });
    await page.keyboard.press(n % 2 ? "ArrowUp" : "ArrowDown");
  },
  async add(page) {
    await page.locator("[data-pane=canvas] [role=application]").focus();
    await idle(page);
    await page.evaluate(() => {
      const label = () => document.querySelector("[data-pane=canvas] [role=application]").getAttribute("aria-label");
      const before = label();
      window.deskWatch.expect(() => label() !== before);
    });
    await page.keyboard.press("s");
  },
};

/** So many steps of a hand, one a frame. */
const STEPS = 40;
const step = (page, act) => act().then(() => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))));
const rested = (page) => page.locator(".cv-canvas:not(.gliding)").waitFor();

/** Hands that move the view, from a place on the canvas. */
const HANDS = {
  async pan(page, { x, y }) {
    await page.mouse.down({ button: "middle" });
    for (let n = 0; n < STEPS; n += 1) await step(page, () => page.mouse.move(x + ((n % 10) - 5) * 12, y + (((n * 7) % 13) - 6) * 9));
    await page.mouse.up({ button: "middle" });
    await rested(page);
  },
  async zoom(page) {
    await page.keyboard.down("Control");
    for (let n = 0; n < STEPS; n += 1) await step(page, () => page.mouse.wheel(0, n % 8 < 4 ? -30 : 30));
    await page.keyboard.up("Control");
    await rested(page);
  },
};

/** Milliseconds of the main thread's processor for each step of a hand, its beginning and its rest included. */
async function glide(page, hand) {
  const pane = await page.locator(".cv-canvas").boundingBox();
  const at = { x: pane.x + pane.width / 2, y: pane.y + pane.height / 3 };
  await page.mouse.move(at.x, at.y);
  await idle(page);
  const events = await traced(page, async () => {
    await page.evaluate(() => performance.mark("edit:input"));
    await HANDS[hand](page, at);
  });
  const tasks = events.filter((event) => event.name === "RunTask").map((task) => (task.tdur ?? task.dur ?? 0) / 1000);
  return { step: tasks.reduce((sum, task) => sum + task, 0) / STEPS, longest: Math.max(...tasks) };
}

async function edit(page, kind, n) {
  await KINDS[kind](page, n);
  await page.waitForFunction(() => window.deskWatch.done);
  await idle(page);
  const counts = await page.evaluate(() => ({ ...window.deskWatch.counts }));
  if (kind === "add") {
    await page.keyboard.press("Control+z");
    await idle(page);
    await reselect(page);
  }
  return counts;
}

/** Selects the window of the chain whose verdict is shown. */
async function reselect(page) {
  const chain = (await page.locator("[data-consumer]").getAttribute("data-consumer")).split("_")[1];
  await page.locator(`[data-outline-id="sum_${chain}"]`).click();
  await page.locator(`[data-inspected="sum_${chain}"]`).waitFor();
}

/** Records what the browser does while `act` runs; answers the events of the page's main thread. */
async function traced(page, act) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: CATEGORIES, recordMode: "recordAsMuchAsPossible" } });
  await act();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const mark = events.find((event) => event.name === "edit:input");
  return events.filter((event) => event.pid === mark.pid && event.tid === mark.tid).sort((a, b) => a.ts - b.ts);
}

/** Where the time goes, by the browser's own names; for looking closer. */
const parts = new Map();

/** Milliseconds of the processor for each edit of a trace: all of the main thread, script, and the rest of the frame. */
function costs(events) {
  const tasks = events.filter((event) => event.name === "RunTask");
  const marks = (name) => events.filter((event) => event.name === name);
  const commits = marks("Commit");
  const shown = marks("edit:shown");
  return marks("edit:input").flatMap((input) => {
    const there = shown.find((mark) => mark.ts >= input.ts);
    const commit = there && commits.find((event) => event.ts >= there.ts);
    if (!commit) return [];
    const within = tasks.filter((task) => task.ts + task.dur >= input.ts && task.ts <= commit.ts);
    const [start, end] = [within[0].ts, Math.max(...within.map((task) => task.ts + task.dur))];
    let until = 0;
    let script = 0;
    for (const event of events) {
      if (event.ts < start || event.ts >= end || !SCRIPT.has(event.name) || event.ts < until || !event.dur) continue;
      until = event.ts + event.dur;
      script += event.tdur ?? event.dur;
    }
    const all = within.reduce((sum, task) => sum + (task.tdur ?? task.dur ?? 0), 0);
    if (process.env.PARTS) {
      for (const event of events) {
        if (event.ts >= start && event.ts < end && event.dur) parts.set(event.name, (parts.get(event.name) ?? 0) + (event.tdur ?? event.dur) / 1000);
      }
    }
    const later = tasks.filter((task) => task.ts >= end && task.ts < end + 1_000_000);
    const frames = commits.filter((event) => event.ts >= start && event.ts <= commit.ts).length;
    return [{ all: all / 1000, script: script / 1000, frames, longest: Math.max(0, ...later.map((task) => task.tdur ?? task.dur ?? 0)) / 1000 }];
  });
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const ms = (value) => value.toFixed(1).padStart(7);

const server = await serve(process.env.DIST ?? "dist");
try {
  console.log(`${EDITS} edits of each kind, milliseconds of the processor, median and p99`);
  console.log("elements edit     |  main thread   |     script     | frames | longest task after | reviews  nodes made/gone");
  for (const count of SIZES) {
    const mine = await profile();
    const page = await mine.page();
    await open(page, server.url);
    await openFile(page, "large.json", large(Math.min(count / OF_CHAIN, MOST_CHAINS)));
    await page.locator("[data-consumer]").waitFor();
    await reselect(page);
    await page.evaluate(watch);
    let n = 0;
    for (const kind of process.env.KINDS?.split(",") ?? Object.keys(KINDS)) {
      await edit(page, kind, (n += 1));
      await page.evaluate(() => (window.deskWatch.count = true));
      const counts = [];
      for (let at = 0; at < 4; at += 1) counts.push(await edit(page, kind, (n += 1)));
      await page.evaluate(() => (window.deskWatch.count = false));
      const events = await traced(page, async () => {
        for (let at = 0; at < EDITS; at += 1) await edit(page, kind, (n += 1));
      });
      const taken = costs(events);
      const both = (of) => `${ms(quantile(taken.map((one) => one[of]), 0.5))} ${ms(quantile(taken.map((one) => one[of]), 0.99))}`;
      const most = (of) => Math.max(...counts.map((one) => one[of]));
      const frames = Math.max(...taken.map((one) => one.frames));
      console.log(`${String(count).padStart(8)} ${kind.padEnd(8)} | ${both("all")}| ${both("script")}| ${String(frames).padStart(6)} | ${ms(quantile(taken.map((one) => one.longest), 0.5))}            | ${String(most("reviews")).padStart(7)}  ${most("made")}/${most("gone")}`);
      if (process.env.PARTS) console.log([...parts].sort((a, b) => b[1] - a[1]).slice(0, 16).map(([name, sum]) => `  ${ms(sum / taken.length)} ${name}`).join("\n"));
      parts.clear();
    }
    for (const hand of Object.keys(HANDS)) {
      const { step, longest } = await glide(page, hand);
      console.log(`${String(count).padStart(8)} ${hand.padEnd(8)} | ${ms(step)} a step, longest task ${ms(longest)}`);
    }
    await mine.close();
  }
} finally {
  await server.stop();
}
