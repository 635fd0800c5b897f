/** The graph of a program: seen, opened, moved through, searched, exported and linked to. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { axeFaults, expect, test } from "./page";

const FUSED = `HloModule m
fused {
  a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  s = f32[8] add(a, b)
  ROOT h = bf16[8] convert(s)
}
ENTRY main {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  z = f32[8] multiply(x, y), metadata={op_name="jit(f)/mul"}
  fusion = bf16[8] fusion(z, y), kind=kLoop, calls=fused
  ROOT out = bf16[8] negate(fusion)
}`;

const stage = (page: Page): Locator => page.getByRole("application");
const box = (page: Page, id: string): Locator => page.locator(`[data-box="${id}"]`);
const spoken = (page: Page): Locator => page.locator("#graph-spoken");

/** Clicks into a box, where it has no button. */
async function point(page: Page, id: string): Promise<void> {
  await expect(box(page, id)).toHaveCount(1);
  await box(page, id).locator(".title").click({ force: true });
}

test("a program is seen as a graph, box by box", async ({ playground, page }) => {
  await playground.begin(FUSED);
  await playground.tab("Graph").click();
  await expect(page.locator("[data-box]")).toHaveCount(5);
  // By mouse: the editor follows.
  await point(page, "main/z");
  await expect(spoken(page)).toContainText("z, multiply, f32[8]{0}; 2 operands, 1 user");
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("multiply");
  // Both ways: the cursor moves the graph.
  await playground.editor.getByText("negate").click();
  await expect(spoken(page)).toContainText("out, negate");
  // By keys.
  await stage(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect(spoken(page)).toContainText("fusion, fusion, bf16[8]{0}");
  await expect(spoken(page)).toContainText("closed");
  await page.keyboard.press("Enter");
  await expect(box(page, "main/fusion:fused/h")).toHaveCount(1);
  await expect(spoken(page)).toContainText("open");
  await page.keyboard.press("ArrowDown");
  await expect(spoken(page)).toContainText("parameter");
  // The sign in its corner closes it.
  await box(page, "main/fusion").locator("[data-toggle]").click({ force: true });
  await expect(box(page, "main/fusion:fused/h")).toHaveCount(0);
});

test("search opens what it finds, paths are shown, and a link restores it", async ({
  playground,
  page,
}) => {
  await playground.begin(FUSED);
  await playground.tab("Graph").click();
  await expect(page.locator("[data-box]")).toHaveCount(5);
  const search = page.getByRole("combobox", { name: /^Search: name/ });
  await search.fill("jit(f)");
  await expect(page.locator("#graph-found").getByRole("option")).toHaveCount(1);
  await search.fill("convert");
  await page.keyboard.press("Enter");
  await expect(spoken(page)).toContainText("h, convert");
  const details = page.locator(".graph-details");
  await details.getByRole("button", { name: "Path to here" }).click();
  await expect(page.getByText("Choose where the path begins.")).toBeVisible();
  await point(page, "main/x");
  await details.getByRole("button", { name: "Path from here" }).click();
  await expect(page.getByText(/^Path of \d instructions$/)).toBeVisible();
  await expect(page.locator(".graph-edge.on-path").first()).toBeAttached();
  await page.getByRole("combobox", { name: /^Colour/ }).selectOption({ label: "lost precision" });
  await expect(page.getByText("rounds to a narrower float").first()).toBeVisible();
  await page
    .getByRole("combobox", { name: /^Shown/ })
    .selectOption({ label: "2 steps from the selected" });
  await expect(box(page, "main/out")).toHaveCount(0);
  await expect.poll(() => page.url()).toContain("steps=2");
  const url = page.url();
  expect(url).toContain("colour=precision");
  await page.goto("about:blank");
  await page.goto(url);
  await expect(page.getByRole("tab", { name: "Graph" })).toHaveAttribute("aria-selected", "true");
  await expect(spoken(page)).toContainText("x, parameter");
  await expect(page.getByRole("combobox", { name: /^Colour/ })).toHaveValue("precision");
  await expect(box(page, "main/z")).toHaveCount(1);
  // Words of other tools lead here.
  await page.keyboard.press("ControlOrMeta+k");
  await page.locator('[aria-controls="palette-list"]').fill("expand fusion");
  await expect(page.locator("#palette-list").getByRole("option").first()).toContainText("Graph");
});

test("another program begins as it opens: nothing is left of what was closed and of a path", async ({
  playground,
  page,
}) => {
  await playground.begin(FUSED);
  await playground.tab("Graph").click();
  await point(page, "main/fusion");
  await page.locator(".graph-details").getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Close all" }).click();
  await page.locator(".graph-details").getByRole("button", { name: "Path to here" }).click();
  await page.locator(".graph-details").getByRole("button", { name: "Neighbourhood" }).click();
  await expect(page.getByText("Choose where the path begins.")).toBeVisible();
  const long = Array.from({ length: 1500 }, (_, i) => `  v${i + 1} = f32[2] sine(v${i})\n`);
  await playground.write(
    `HloModule long\nENTRY e {\n  v0 = f32[2] parameter(0)\n${long.join("")}}\n`,
  );
  // A picture of groups alone has some of them open, unless all were closed.
  await expect(page.getByRole("button", { name: "Close all" })).toBeVisible();
  await expect(page.getByText("Choose where the path begins.")).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: /^Shown/ })).toHaveValue("-1");
});

test("exports hold the whole picture", async ({ playground, page }) => {
  await playground.begin(FUSED);
  await playground.tab("Graph").click();
  await expect(page.locator("[data-box]")).toHaveCount(5);
  for (const [label, extension, part] of [
    ["picture (SVG)", ".svg", "multiply z"],
    ["Graphviz (DOT)", ".dot", "digraph"],
    ["picture (PNG)", ".png", "PNG"],
  ] as const) {
    await page.locator(".graph-tools").getByRole("button", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: label }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`m_graph${extension}`);
    const bytes = await readFile(await file.path());
    expect(bytes.toString("latin1")).toContain(part);
  }
});

test("stays where it was when the program is edited", async ({ playground, page }) => {
  await playground.begin(FUSED);
  await playground.tab("Graph").click();
  await point(page, "main/fusion");
  const at = async () => box(page, "main/fusion").locator("rect").last().boundingBox();
  const before = await at();
  // No click into the text, which would choose the instruction there.
  await playground.editor.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(
    FUSED.replace("negate(fusion)", "abs(fusion)").replace(
      "  fusion =",
      "  more = f32[8] tanh(y)\n  extra = f32[8] add(more, z)\n  fusion =",
    ),
  );
  await expect(box(page, "main/extra")).toHaveCount(1);
  const after = await at();
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 99))).toBeLessThan(60);
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 99))).toBeLessThan(60);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the graph: ${colorScheme}`, async ({ playground, page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme });
    await playground.open("#ex=while-loop&view=graph&open=main/end");
    await expect(box(page, "main/end:body/sum")).toHaveCount(1);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await page.waitForTimeout(400);
      if (width === 1440) {
        await point(page, "main/end:body/sum");
        await page.getByRole("combobox", { name: /^Search: name/ }).fill("get");
        await expect(page.getByRole("option").first()).toBeVisible();
      }
      expect(await axeFaults(page), String(width)).toEqual([]);
    }
    await expect(page.locator(".graph-minimap")).toHaveCount(0);
    // Nothing is wider than the screen.
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  });
}
