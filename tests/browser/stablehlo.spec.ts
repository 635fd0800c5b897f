import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./page";

const other = (page: Page): Locator => page.locator(".dialect-text .cm-content");
const line = (page: Page, part: ".left" | ".dialect-text", text: string): Locator =>
  page.locator(`${part} .cm-line`, { hasText: text }).first();

test("shows a program from JAX beside itself as HLO, lines linked both ways", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=jax-mlp");
  await playground.ran();
  await expect.poll(() => playground.coloured("opcode")).toContain("stablehlo.dot_general");
  await expect(playground.tab("HLO")).toHaveAttribute("aria-selected", "true");
  await expect(other(page)).toContainText("ENTRY");
  await expect.poll(() => playground.coloured("opcode", ".dialect-text")).toContain("exponential");
  await playground.tab("Outline").click();
  await expect(page.getByRole("treeitem", { name: /^%1/ }).first()).toBeVisible();
  await playground.tab("HLO").click();
  // A click on a line here marks the line there.
  await line(page, ".left", "stablehlo.exponential").click();
  await expect(page.locator(".dialect-text .cm-linked").last()).toContainText("exponential(");
  // By keys alone, from there to here.
  await other(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  await page.keyboard.type("maximum(");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.locator(".left .cm-linked").first()).toContainText("stablehlo.maximum");
  // The mouse over a line wins over the cursor.
  await line(page, ".dialect-text", "divide(").hover();
  await expect(page.locator(".left .cm-linked").last()).toContainText("stablehlo.divide");
});

test("does not scroll a text under the mouse that points at one of its lines", async ({
  playground,
  page,
}) => {
  const negations = Array.from({ length: 100 }, (_, i) => `  v${i + 1} = f32[4] negate(v${i})`);
  await playground.begin(`ENTRY e {\n  v0 = f32[4] parameter(0)\n${negations.join("\n")}\n}\n`);
  await page.keyboard.press("Alt+Shift+D");
  await expect(other(page)).toContainText("stablehlo.negate");
  // Neither text has the focus.
  await playground.tab("StableHLO").focus();
  for (const [here, there] of [
    [".left", ".dialect-text"],
    [".dialect-text", ".left"],
  ]) {
    const scroller = page.locator(`${here} .cm-scroller`);
    await scroller.evaluate((element) => element.scrollTo(0, 700));
    const box = await scroller.boundingBox();
    if (!box) throw new Error("no scroller");
    const top = await scroller.evaluate(({ scrollTop }) => scrollTop);
    await page.mouse.move(box.x + 200, box.y + box.height - 12, { steps: 2 });
    await expect(page.locator(`${there} .cm-linked`).first()).toBeInViewport();
    await expect(page.locator(`${here} .cm-linked`)).toHaveCount(1);
    expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
  }
});

test("follows the typing, keeps the last text while there are problems, and can go on in it", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.write("ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n");
  await page.keyboard.press("Alt+Shift+D");
  await expect(playground.tab("StableHLO")).toHaveAttribute("aria-selected", "true");
  await expect(other(page)).toContainText("stablehlo.negate");
  await playground.write("ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] tanh(x)\n}\n");
  await expect(other(page)).toContainText("stablehlo.tanh");
  await playground.write("ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] tanh(z)\n}\n");
  await expect(page.locator(".dialect-view [role=alert]")).toContainText("z");
  await expect(other(page)).toContainText("stablehlo.tanh");
  await playground.write("ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] floor(x)\n}\n");
  await expect(other(page)).toContainText("stablehlo.floor");
  await page.getByRole("button", { name: "Continue in this dialect" }).click();
  await expect(playground.editor).toContainText("stablehlo.floor");
  await expect(playground.tab("HLO")).toHaveAttribute("aria-selected", "true");
  await expect(other(page)).toContainText("ROOT");
  // The switch goes back to where one was.
  await page.keyboard.press("Alt+Shift+D");
  await expect(other(page)).toHaveCount(0);
  await page.waitForTimeout(1000);
  expect(page.url()).toContain("view=");
});

test("the editor knows StableHLO: definition, rename, comments, completion, indentation", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.write(
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n%y = stablehlo.add %x, %x : tensor<4xf32>\nreturn %y : tensor<4xf32>\n}\n",
  );
  await expect(playground.status).toContainText("StableHLO");
  await expect(playground.status).toContainText("No problems");
  await page.getByRole("button", { name: "Format" }).click();
  await expect.poll(() => playground.text()).toContain("\n  %y = stablehlo.add");
  await line(page, ".left", "return").click();
  await page.keyboard.press("Home");
  for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
  await page.keyboard.press("F12");
  await expect(page.locator(".left .cm-activeLine")).toContainText("stablehlo.add");
  await page.waitForTimeout(300);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("sum");
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("return %sum");
  await line(page, ".left", "stablehlo.add").click();
  await page.keyboard.press("ControlOrMeta+/");
  await expect(line(page, ".left", "stablehlo.add")).toContainText("// %sum");
  await page.keyboard.press("ControlOrMeta+/");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("%z = stablehlo.expon");
  await expect(page.locator(".cm-tooltip-autocomplete")).toContainText("stablehlo.exponential");
});

test("hands the program over as HLO, as StableHLO and as a script for JAX", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=jax-mlp");
  await playground.ran();
  const save = async (item: string): Promise<{ name: string; text: string }> => {
    const menu = page.getByRole("button", { name: "Download" });
    await menu.focus();
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    const file = await saving;
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const hlo = await save("HLO text .hlo");
  expect(hlo.name).toBe("jit_predict.hlo");
  expect(hlo.text).toContain("ENTRY");
  const mlir = await save("StableHLO text");
  expect(mlir.name).toBe("jit_predict.mlir");
  expect(mlir.text).toContain("stablehlo.dot_general");
  const python = await save("Python");
  expect(python.name).toBe("jit_predict.py");
  expect(python.text).toContain("import jax");
});

test("runs every function with checks, and shows the one that does not hold", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=stablehlo-checks");
  await playground.ran();
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type("720");
  for (const key of ["Enter", "Escape"]) await page.keyboard.press(key);
  await page.keyboard.insertText("721");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".run-faults")).toContainText("720, expected 721");
  await expect(page.locator(".left .cm-lintRange-error").first()).toContainText("check.expect_eq");
});

test("sizes that a program leaves open are said by its inputs", async ({ playground, page }) => {
  await playground.open("#ex=open-sizes");
  await playground.ran();
  await expect(page.locator(".dialect-text .cm-content")).toContainText("f32[3,4]");
  const type = page.getByRole("textbox", { name: "Type of x" });
  await expect(type).toHaveValue("f32[3,4]");
  await type.fill("tensor<5x4xf32>");
  await expect(page.locator(".dialect-text .cm-content")).toContainText("f32[5,4]");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await expect(playground.values.getByRole("option").first()).toContainText("f32[5]");
  await type.fill("");
  await expect(playground.status).toContainText("error");
  await expect(page.locator(".left .cm-lintRange-error").first()).toBeVisible();
});
