// Opens HLO files in the built page as a person would: pasted in place of the program, run by one
// click. Each must give values, or one fault with a button that gets further; a text that is no
// program must be said to be none. Nothing of the file before may be shown.
//
//   node tests/conformance/page.mjs FOLDER [COUNT]
//
// COUNT: so many files, chosen by the hash of their names; without it all of them.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { launchOptions } from "../chromium.mjs";

const [folder, count] = process.argv.slice(2);
const PORT = 4187;
const LONGEST = 30_000;

const hash = (name) => createHash("sha256").update(name).digest("hex");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".hlo"))
  .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
  .slice(0, count ? Number(count) : undefined);

const root = fileURLToPath(new URL("../..", import.meta.url));
const server = spawn(process.execPath, ["web/serve.mjs", "dist", String(PORT)], { cwd: root });
await new Promise((resolve) => server.stdout.once("data", resolve));
const browser = await chromium.launch(launchOptions);
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const thrown = [];
page.on("pageerror", (error) => thrown.push(error.message));
await page.goto(`http://localhost:${PORT}/`);
const status = page.getByRole("contentinfo");
await status.getByText(/Ran \d/).waitFor({ timeout: LONGEST });

/** What the page says of a file: "" when that is good. */
async function judge(name) {
  const text = readFileSync(join(folder, name), "utf8");
  await page.locator(".left .cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
  await page
    .locator("footer")
    .getByText(/No problems|\d+ error/)
    .first()
    .waitFor();
  // The check of what was pasted follows a pause in typing.
  await page.waitForTimeout(400);
  const errors = await status.getByText(/\d+ errors?/).count();
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await page.waitForFunction(
    () =>
      /Ran \d|The (run (failed|stopped)|program was not run)|fault of the engine/.test(
        document.querySelector("footer")?.textContent ?? "",
      ),
    null,
    { timeout: LONGEST },
  );
  if (thrown.length > 0) return `the page threw: ${thrown.splice(0).join("; ")}`;
  const said = (await status.textContent()) ?? "";
  if (/Ran \d/.test(said) || errors > 0) return "";
  const faults = page.locator(".run-faults");
  if ((await faults.count()) === 0) return "it failed, and no fault is in front";
  const buttons = await page.locator(".remedies button").count();
  const message = (await faults.locator("li").first().textContent()) ?? "";
  return buttons > 0 ? "" : `no button gets further: ${message.slice(0, 200)}`;
}

let failed = 0;
for (const name of files) {
  const why = await judge(name).catch((error) => String(error).split("\n")[0]);
  if (!why) continue;
  failed++;
  console.log(`${name}: ${why}`);
}
await browser.close();
server.kill();
console.log(`page: ${files.length - failed} of ${files.length} files give values or get further`);
process.exit(failed > 0 ? 1 : 0);
