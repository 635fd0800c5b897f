import { chromium } from "@playwright/test";
import { deflateRawSync } from "node:zlib";
const link = (p, rest = "") => `#1/${deflateRawSync(JSON.stringify(p)).toString("base64url")}${rest}`;
const spaces = `HloModule m
body {
  x = f32[64,256]{1,0:T(8,128)S(1)} parameter(0)
  y = f32[64,256]{1,0:T(8,128)S(1)} negate(x)
  ROOT z = f32[64,256]{1,0:T(8,128)S(1)} negate(y)
}
ENTRY e {
  p = f32[64,256]{1,0:T(8,128)} parameter(0)
  s = (f32[64,256]{1,0:T(8,128)S(1)}, f32[64,256]{1,0:T(8,128)}, u32[]{:S(2)}) copy-start(p)
  d = f32[64,256]{1,0:T(8,128)S(1)} copy-done(s)
  v = f32[64,256]{1,0:T(8,128)S(1)} call(d), to_apply=body
  ROOT r = f32[64,256]{1,0:T(8,128)} copy(v)
}
`;
const which = process.argv.slice(2);
const states = {
  layout: ["#shape=bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}", null],
  first: ["", null],
  pad: ["#shape=s32[2,3]{0,1:PAD(3,5;9)}", null],
  morello: ["#ex=morello-packed", null],
  memory: [link({ src: spaces }, "&view=memory"), null],
  outline: [link({ src: spaces }, "&view=outline"), async (page) => {
    const rows = page.getByRole("treeitem");
    await page.getByRole("treeitem", { name: /%v/ }).first().click();
    await page.keyboard.press("ArrowRight").catch(() => {});
    await page.locator("#outline-list").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(300);
  }],
  asks: [link({ src: "ENTRY e { ROOT x = f32[] constant(2) }", timeLimit: 1e300 }), null],
  long: [link({ src: "ENTRY e { ROOT x = f32[] constant(2) }" }), async (page) => {
    await page.locator(".left .cm-content").click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText("// long ".repeat(30000));
    await page.waitForTimeout(1500);
  }],
};
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const name of which.length ? which : Object.keys(states)) {
  const [hash, act] = states[name];
  for (const [w, h, scheme] of [[1440, 900, "light"], [390, 844, "dark"], [2560, 1300, "dark"], [1280, 800, "light"]]) {
    const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme });
    const page = await context.newPage();
    await page.goto(`http://localhost:4199/${hash}`);
    await page.waitForTimeout(2500);
    if (act) await act(page);
    await page.screenshot({ path: `/tmp/p6/shot_${name}_${w}_${scheme}.png` });
    await context.close();
  }
}
await browser.close();
