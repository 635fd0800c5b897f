import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
page.on("console", (m) => m.type() === "error" && console.log("console", m.text()));
page.on("pageerror", (e) => console.log("pageerror", e.message));
await page.goto("http://localhost:4199/");
await page.waitForTimeout(4000);
const write = async (t) => { await page.locator(".left .cm-content").click(); await page.keyboard.press("ControlOrMeta+a"); await page.keyboard.insertText(t); };
const status = async () => (await page.locator("footer").textContent()).slice(0, 120);
await write(readFileSync("/work/shared/findings/02_type_alias_bomb.mlir", "utf8"));
for (let i = 0; i < 5; i++) { await page.waitForTimeout(1000); console.log(i, await status()); }
await write("ENTRY e {\n  ROOT x = f32[2] parameter(0)\n}\n");
for (let i = 0; i < 8; i++) { await page.waitForTimeout(500); console.log(i, await status()); }
await browser.close();
