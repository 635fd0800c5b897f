// Timings of the built page in Chromium: cold load, first result, typing in modules of 5,000 and 100,000 lines,
// tasks of the main thread over 50 ms, cancelling, scrolling. `node tests/bench/page.mjs`; nothing is asserted.
import { spawn } from "node:child_process";
import process from "node:process";
import { chromium } from "@playwright/test";
import { launchOptions } from "../chromium.mjs";

const port = 4174;
const address = `http://localhost:${port}/`;
const server = spawn(process.execPath, ["web/serve.mjs", "dist", String(port)], {
  stdio: "ignore",
});
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const print = (what, value) =>
  console.log(`  ${what.padEnd(58)} ${value.toFixed(1).padStart(10)} ms`);

function longModule(lines) {
  let text = "HloModule typing\n\nENTRY main {\n  p0 = f32[128,256]{1,0} parameter(0)\n";
  for (let i = 1; i < lines; ++i) {
    text += `  v${i} = f32[128,256]{1,0} add(${i === 1 ? "p0" : `v${i - 1}`}, p0), metadata={op_name="jit(f)/add.${i}"}\n`;
  }
  return `${text}  ROOT r = f32[128,256]{1,0} negate(v${lines - 1})\n}\n`;
}

const launch = () => chromium.launch(launchOptions);

// Tasks of the main thread over 50 ms, from now on.
function watchTasks() {
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.longTasks.push(entry.duration);
  }).observe({ type: "longtask" });
}

// The longest one since the last time; 0 for none over 50 ms.
async function longestTask(page) {
  return Math.max(0, ...(await page.evaluate(() => globalThis.longTasks.splice(0))));
}

// A fresh browser each time: nothing cached, nothing compiled.
async function coldLoad() {
  const browser = await launch();
  const page = await browser.newPage();
  await page.addInitScript(watchTasks);
  await page.goto(address, { waitUntil: "commit" });
  const since = () => page.evaluate(() => performance.now());
  await page.locator(".cm-content").waitFor();
  const editor = await since();
  await page
    .getByRole("contentinfo")
    .getByText(/Ran \d/)
    .waitFor();
  const result = await since();
  const longest = await longestTask(page);
  await browser.close();
  return { editor, result, longest };
}

async function typing() {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(address);
  await page
    .getByRole("contentinfo")
    .getByText(/Ran \d/)
    .waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(longModule(5000));
  await page
    .getByRole("contentinfo")
    .getByText(/5,001 instructions/)
    .waitFor();
  await page.evaluate(watchTasks);
  // From the key to the status line that names the fault it made, and back.
  const times = [];
  for (let i = 0; i < 7; ++i) {
    await page.keyboard.press("ControlOrMeta+Home");
    const start = await page.evaluate(() => performance.now());
    await page.keyboard.type("@");
    await page
      .getByRole("contentinfo")
      .getByText(/1 error|errors/)
      .waitFor();
    times.push((await page.evaluate(() => performance.now())) - start);
    await page.keyboard.press("Backspace");
    await page
      .getByRole("contentinfo")
      .getByText(/No problems/)
      .waitFor();
  }
  const longest = await longestTask(page);
  await browser.close();
  return { times, longest };
}

// From a key to the colour of what it makes of the text, a comment, while the engine checks the whole.
async function colouring(lines) {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(address);
  const status = page.getByRole("contentinfo");
  await status.getByText(/Ran \d/).waitFor();
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(longModule(lines));
  const count = (lines + 1).toLocaleString("en-US");
  await status.getByText(`${count} instructions`).waitFor({ timeout: 120_000 });
  await page.keyboard.press("ControlOrMeta+Home");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "End"]) await page.keyboard.press(key);
  const times = [];
  for (let i = 0; i < 6; ++i) {
    await page.evaluate(() => {
      const isEditor = (e) => e.shadowRoot?.querySelector(".cm-content");
      const root = [...document.querySelectorAll("*")].find(isEditor).shadowRoot;
      globalThis.coloured = new Promise((done) => {
        let start = 0;
        const onInput = (event) => {
          if (event.data === "/") start = performance.now();
        };
        root.querySelector(".cm-content").addEventListener("beforeinput", onInput, true);
        const look = () => {
          const line = root.querySelectorAll(".cm-line")[3];
          const comments = [...(CSS.highlights.get("tok-comment") ?? [])];
          if (start && comments.some(({ startContainer }) => line.contains(startContainer)))
            done(performance.now() - start);
          else requestAnimationFrame(look);
        };
        look();
      });
    });
    for (const key of " //") await page.keyboard.type(key);
    times.push(await page.evaluate(() => globalThis.coloured));
    for (let k = 0; k < 3; ++k) await page.keyboard.press("Backspace");
    await page.waitForTimeout(500);
  }
  await browser.close();
  return times;
}

// Lines as long as those of a compiler's dump, in 40 computations and an entry.
function dump(lines) {
  const source = 'source_file="/usr/lib/python3/dist-packages/model.py"';
  let text = "HloModule dump\n\n";
  for (let i = 0; i < 40; ++i) {
    text += `comp.${i} {\n  p = f32[16]{0} parameter(0)\n  ROOT r = f32[16]{0} negate(p), metadata={op_name="jit(f)/neg" ${source}}\n}\n\n`;
  }
  text += "ENTRY main {\n  v0 = f32[128]{0} parameter(0)\n";
  for (let i = 1; i < lines; ++i) {
    text += `  v${i} = f32[128]{0:T(128)} add(v${i - 1}, v0), metadata={op_name="jit(f)/while/body/add.${i}" ${source} source_line=${i}}, backend_config={"flag_configs":[],"window_config":{"kernel_window_bounds":[]}}\n`;
  }
  return `${text}  ROOT r = f32[128]{0} negate(v${lines - 1})\n}\n`;
}

// The longest tasks while a dump of 20,000 lines is pasted, scrolled by screens, folded and run.
async function reading() {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(address);
  const status = page.getByRole("contentinfo");
  await status.getByText(/Ran \d/).waitFor();
  await page.evaluate((text) => {
    globalThis.pasted = text;
  }, dump(20_000));
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.waitForTimeout(500);
  await page.evaluate(watchTasks);
  await page.evaluate(() => {
    const isEditor = (e) => e.shadowRoot?.querySelector(".cm-content");
    const root = [...document.querySelectorAll("*")].find(isEditor).shadowRoot;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", globalThis.pasted);
    const paste = { clipboardData, bubbles: true, cancelable: true };
    root.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", paste));
  });
  await status.getByText(/20,081 instructions/).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1_000);
  const tasks = [["pasted", await longestTask(page)]];
  const box = await page.locator(".cm-content").first().boundingBox();
  await page.mouse.move(box.x + 200, 300);
  for (let i = 0; i < 40; ++i) {
    await page.mouse.wheel(0, i < 20 ? 900 : -700);
    await page.waitForTimeout(30);
  }
  tasks.push(["scrolled", await longestTask(page)]);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("fold metadata");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1_500);
  tasks.push(["folded", await longestTask(page)]);
  await page.keyboard.press("ControlOrMeta+Enter");
  await status.getByText(/Ran \d/).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1_500);
  tasks.push(["run", await longestTask(page)]);
  await browser.close();
  return tasks;
}

// From Escape to the page that says so, while a loop without end runs.
async function cancelling() {
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(address);
  const status = page.getByRole("contentinfo");
  await status.getByText(/Ran \d/).waitFor();
  await page.getByRole("tab", { name: "Values" }).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(
    "always {\n c = s32[] parameter(0)\n ROOT t = pred[] constant(true)\n}\nbody {\n ROOT c = s32[] parameter(0)\n}\nENTRY main {\n s = s32[] constant(0)\n ROOT never = s32[] while(s), condition=always, body=body\n}\n",
  );
  const times = [];
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.waitForTimeout(300);
    times.push(
      await page.evaluate(async () => {
        const start = performance.now();
        window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
        const status = document.querySelector("footer");
        while (!status.textContent.includes("Cancelled")) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        return performance.now() - start;
      }),
    );
  }
  await browser.close();
  return times;
}

// Times between two frames while a grid of 4096 by 4096 elements is moved for 60 frames.
async function moving(id, zooms) {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${address}#shape=f32[4096,4096]{1,0:T(8,128)}`);
  await page
    .locator("#logical-grid")
    .getByRole("gridcell")
    .getByText(/offset/)
    .waitFor({ state: "attached" });
  const times = await page.evaluate(
    async ({ id, zooms }) => {
      const grid = document.getElementById(id);
      const gaps = [];
      let last = 0;
      await new Promise((done) => {
        const next = (now) => {
          if (last > 0) gaps.push(now - last);
          last = now;
          if (gaps.length >= 60) {
            done();
            return;
          }
          const pan = { deltaX: 37, deltaY: 53 };
          const zoom = { deltaY: gaps.length < 30 ? 40 : -40, ctrlKey: true };
          const step = { ...(zooms ? zoom : pan), bubbles: true, cancelable: true };
          grid.dispatchEvent(new WheelEvent("wheel", step));
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      });
      return gaps;
    },
    { id, zooms },
  );
  await browser.close();
  return times;
}

try {
  await new Promise((resolve) => setTimeout(resolve, 500));
  console.log("page");
  const loads = [];
  for (let i = 0; i < 5; ++i) loads.push(await coldLoad());
  print("cold load to the editor", median(loads.map((l) => l.editor)));
  print("cold load to the first result", median(loads.map((l) => l.result)));
  print("longest main-thread task while loading", median(loads.map((l) => l.longest)));
  const { times, longest } = await typing();
  print("5,000 lines: from a key to its diagnostic (with debounce)", median(times));
  print("5,000 lines: longest main-thread task while typing", longest);
  print(
    "100,000 instructions: from a key to its colour (goal 50 ms)",
    median(await colouring(100_000)),
  );
  for (const [what, task] of await reading()) {
    print(`dump of 20,000 lines, ${what}: longest task (goal 50 ms)`, task);
  }
  print("cancelling a loop without end (goal 200 ms)", median(await cancelling()));
  for (const grid of ["logical", "memory"]) {
    for (const zooms of [false, true]) {
      const frames = await moving(`${grid}-grid`, zooms);
      const how = `${zooms ? "zooming" : "scrolling"} 4096 x 4096, ${grid}:`;
      print(`${how} middle frame (goal 20 ms)`, median(frames));
      print(`${how} longest frame (goal 50 ms)`, Math.max(...frames));
    }
  }
} finally {
  server.kill();
}
