// Opens HLO files in the built page and looks at each in the views that show a program as a whole.
// Each view must show it, without an error; tasks of the main thread that take longer than 50 ms are
// printed, and fail when they take longer than LIMIT.
//
//   node tests/conformance/views.mjs FOLDER [COUNT] [VIEW,...]
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { launchOptions } from "../chromium.mjs";

const [folder, count, only] = process.argv.slice(2);
const PORT = 4189;
const LONGEST = 30_000;
/** Milliseconds: what a busy machine adds to 50. */
const LIMIT = 100;

/** By the title of its tab: the view in links, and what is there once it shows a program. */
const VIEWS = {
  Graph: { hash: "view=graph", shown: '.graph-view[data-text="true"] .graph-picture g' },
  Cost: { hash: "view=cost", shown: ".cost-view [role=option], .cost-view tbody tr" },
  Memory: { hash: "view=memory", shown: ".memory-space" },
  Compare: { hash: "view=diff&with=passes", shown: ".compare-texts" },
};

const hash = (name) => createHash("sha256").update(name).digest("hex");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".hlo"))
  .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
  .slice(0, count ? Number(count) : undefined);
const views = Object.keys(VIEWS).filter((view) => !only || only.split(",").includes(view));

const root = fileURLToPath(new URL("../..", import.meta.url));
const server = spawn(process.execPath, ["web/serve.mjs", "dist", String(PORT)], { cwd: root });
await new Promise((resolve) => server.stdout.once("data", resolve));
const browser = await chromium.launch(launchOptions);
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const thrown = [];
page.on("pageerror", (error) => thrown.push(error.message));
page.on("console", (message) => message.type() === "error" && thrown.push(message.text()));
await page.goto(`http://localhost:${PORT}/#view=diff&with=passes`);
await page.locator(".left .cm-content").waitFor();
await page.evaluate(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(Math.round(entry.duration));
  }).observe({ entryTypes: ["longtask"] });
});

/** What is wrong with a file in a view: "" when nothing is. */
async function judge(view) {
  await page.evaluate(() => {
    window.longTasks = [];
  });
  await page.getByRole("tab", { name: view, exact: true }).click();
  await page.locator(VIEWS[view].shown).first().waitFor({ state: "attached", timeout: LONGEST });
  await page.waitForTimeout(150);
  const long = await page.evaluate(() => window.longTasks);
  if (long.length > 0) console.log(`  ${view}: tasks of ${long.join(", ")} ms`);
  if (thrown.length > 0) return `the page threw: ${thrown.splice(0).join("; ")}`;
  const most = Math.max(0, ...long);
  return most > LIMIT ? `a task of ${most} ms` : "";
}

/** Puts a file in place of the program; false where it has errors, which are no matter of views. */
async function open(name) {
  await page.getByRole("tab", { name: "Ops", exact: true }).click();
  await page.locator(".left .cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(readFileSync(join(folder, name), "utf8"));
  await page.waitForTimeout(300);
  const status = page.getByRole("contentinfo");
  await status
    .getByText(/No problems|\d+ (error|warning|note)/)
    .first()
    .waitFor();
  return (await status.getByText(/\d+ errors?/).count()) === 0;
}

let failed = 0;
let faulty = 0;
for (const name of files) {
  if (!(await open(name))) {
    faulty++;
    continue;
  }
  console.log(name);
  for (const view of views) {
    const why = await judge(view).catch((error) => String(error).split("\n")[0]);
    if (!why) continue;
    failed++;
    console.log(`  ${view}: ${why}`);
  }
}
await browser.close();
server.kill();
console.log(
  `views: ${files.length} files, ${faulty} of them with errors; ${failed} views did not show theirs`,
);
process.exit(failed > 0 ? 1 : 0);
