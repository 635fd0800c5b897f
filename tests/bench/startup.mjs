// How long the built page takes in Chromium from navigation, with nothing in the cache: each time a browser of its
// own. Medians of 5. `node tests/bench/startup.mjs [--trace] [FOLDER...]`; nothing
// is asserted. Of several builds (dist alone is usual) every round loads each.
import { spawn } from "node:child_process";
import process from "node:process";
import { chromium } from "@playwright/test";
import { launchOptions } from "../chromium.mjs";

const folders = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
if (folders.length === 0) folders.push("dist");
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
      this.addEventListener("message", () => note("answer"));
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

/** When the first of the workers had its engine: they mark it. */
async function engineReady(page) {
  const origin = await page.evaluate(() => performance.timeOrigin);
  const marks = await Promise.all(
    page.workers().map((worker) =>
      worker.evaluate(() => {
        const [mark] = performance.getEntriesByName("engine-ready");
        return mark ? performance.timeOrigin + mark.startTime : Infinity;
      }),
    ),
  );
  return Math.min(...marks) - origin;
}

async function load(at) {
  const browser = await chromium.launch(launchOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchStart);
    // A process for the site is there, as in a browser that is in use; its cache is not.
    await page.goto("about:blank");
    await page.goto(`http://localhost:${at}/`, { waitUntil: "commit" });
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
    const engine = await engineReady(page);
    return { ...(await page.evaluate(() => globalThis.startTimes)), engine, resources };
  } finally {
    await browser.close();
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const servers = folders.map((folder, i) =>
  spawn(process.execPath, ["web/serve.mjs", folder, String(port + i)], { stdio: "ignore" }),
);

function print(folder, loads) {
  const where = folders.length > 1 ? `, ${folder}` : "";
  console.log(
    `start-up in Chromium, nothing cached, localhost${where}: median (least) of ${rounds}, ms`,
  );
  const rows = [
    ["first-contentful-paint", "first paint", 0],
    ["editor", "frame of the page", 0],
    ["engine", "engine ready", 150],
    ["answer", "first answer of the engine", 0],
    ["result", "first result", 400],
    ["layout", "first layout of an array", 1000],
    ["tasks", "longest task of the main thread", 50],
  ];
  for (const [key, what, goal] of rows) {
    const times = loads.map((times) => times[key] ?? Number.NaN);
    const figure = `${median(times).toFixed(0).padStart(8)} (${Math.min(...times).toFixed(0)})`;
    console.log(`  ${what.padEnd(40)} ${figure}${goal ? `   goal ${goal}` : ""}`);
  }
  if (!process.argv.includes("--trace")) return;
  for (const { name, start, end } of loads.at(-1).resources) {
    console.log(
      `    ${name.padEnd(36)} ${start.toFixed(0).padStart(6)} ${end.toFixed(0).padStart(6)}`,
    );
  }
}

try {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const loads = folders.map(() => []);
  for (let i = 0; i < rounds; ++i) {
    for (const [k, list] of loads.entries()) list.push(await load(port + k));
  }
  for (const [k, folder] of folders.entries()) print(folder, loads[k]);
} finally {
  for (const server of servers) server.kill();
}
