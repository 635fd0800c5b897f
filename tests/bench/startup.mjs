// How long the built page takes in Chromium from navigation, with nothing in the cache: each time a browser of its
// own. Medians of 5. `node tests/bench/startup.mjs [--trace]`; nothing is asserted.
import { spawn } from "node:child_process";
import process from "node:process";
import { chromium } from "@playwright/test";
import { launchOptions } from "../chromium.mjs";

const port = 4175;
const rounds = process.env.BENCH === "quick" ? 3 : 5;

/** In the page: notes when, in milliseconds since navigation, something is there for the first time. */
function watchStart() {
  const times = {};
  globalThis.startTimes = times;
  const note = (what) => {
    times[what] ??= performance.now();
  };
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(...args) {
      super(...args);
      note("worker");
      this.addEventListener("message", () => note("engine"));
    }
  };
  const look = () => {
    if (document.querySelector(".cm-content, .left *")) note("editor");
    if (/Ran \d/.test(document.querySelector("footer")?.textContent ?? "")) note("result");
    const cell = document.querySelector("#logical-grid [role=gridcell]");
    if (cell?.textContent) note("layout");
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  times.tasks = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) times.tasks = Math.max(times.tasks, duration);
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) times[name] ??= startTime;
  }).observe({ type: "paint", buffered: true });
}

async function load() {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchStart);
    // A process for the site is there, as in a browser that is in use; its cache is not.
    await page.goto("about:blank");
    await page.goto(`http://localhost:${port}/`, { waitUntil: "commit" });
    const isDone = () => globalThis.startTimes?.result && globalThis.startTimes.layout;
    await page.waitForFunction(isDone, null, { timeout: 30_000 });
    await page.waitForTimeout(300);
    const resources = await page.evaluate(() =>
      performance.getEntriesByType("resource").map((entry) => ({
        name: entry.name.replace(/.*\//, ""),
        start: entry.startTime,
        end: entry.responseEnd,
      })),
    );
    return { ...(await page.evaluate(() => globalThis.startTimes)), resources };
  } finally {
    await browser.close();
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const server = spawn(process.execPath, ["web/serve.mjs", "dist", String(port)], {
  stdio: "ignore",
});
try {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const loads = [];
  for (let i = 0; i < rounds; ++i) loads.push(await load());
  console.log(`start-up in Chromium, nothing cached, localhost: median (least) of ${rounds}, ms`);
  const rows = [
    ["first-contentful-paint", "first paint", 0],
    ["editor", "frame and editor", 0],
    ["engine", "engine ready: its first answer", 150],
    ["result", "first result", 400],
    ["layout", "first layout of an array", 1000],
    ["tasks", "longest task of the main thread", 50],
  ];
  for (const [key, what, goal] of rows) {
    const times = loads.map((times) => times[key] ?? Number.NaN);
    const figure = `${median(times).toFixed(0).padStart(8)} (${Math.min(...times).toFixed(0)})`;
    console.log(`  ${what.padEnd(40)} ${figure}${goal ? `   goal ${goal}` : ""}`);
  }
  if (process.argv.includes("--trace")) {
    for (const { name, start, end } of loads.at(-1).resources) {
      console.log(
        `    ${name.padEnd(36)} ${start.toFixed(0).padStart(6)} ${end.toFixed(0).padStart(6)}`,
      );
    }
  }
} finally {
  server.kill();
}
