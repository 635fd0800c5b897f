import { chromium } from "@playwright/test";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.addInitScript(() => {
  window.__long = [];
  new PerformanceObserver((l) => { for (const e of l.getEntries()) window.__long.push([Math.round(e.startTime), Math.round(e.duration)]); }).observe({ type: "longtask", buffered: true });
});
await page.goto("http://localhost:4199/");
await page.waitForTimeout(3000);
console.log("start", JSON.stringify(await page.evaluate(() => window.__long)));
for (const n of [5000, 60000]) {
  const lines = Array.from({ length: n }, (_, i) => `  v${i + 1} = f32[8,128]{1,0:T(8,128)} add(v${i}, v${i}), metadata={op_name="jit(f)/add"}`);
  const program = `ENTRY main {\n  v0 = f32[8,128]{1,0:T(8,128)} parameter(0)\n${lines.join("\n")}\n}\n`;
  await page.locator(".left .cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(program);
  await page.waitForTimeout(8000);
  await page.keyboard.press("ControlOrMeta+Home");
  await page.waitForTimeout(2000);
  await page.evaluate(() => { window.__long = []; });
  for (let i = 0; i < 10; i++) { await page.keyboard.press("x"); await page.waitForTimeout(300); }
  await page.waitForTimeout(3000);
  console.log(n, program.length, JSON.stringify(await page.evaluate(() => window.__long)));
}
await browser.close();
