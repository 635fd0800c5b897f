import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "./page";

async function saved(page: Page, item: string) {
  await page.getByRole("button", { name: "Export" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: item }).click();
  const file = await saving;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("a film is stepped by keys and by a slider, pinned elements are followed", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=film");
  await playground.ran();
  const steps = page.locator(".film-steps li");
  await expect(steps.first()).toContainText("3 × 5");
  const count = await steps.count();
  expect(count).toBeGreaterThanOrEqual(4);
  await expect(page.locator(".film-pin")).toHaveCount(3);
  await expect(page.locator(".film-pin").first()).toContainText("A (2, 3) slot 13");
  await page.locator("#film-grid").focus();
  await page.keyboard.press("]");
  await expect(steps.nth(1).locator("[aria-current=step]")).toContainText("4 × 6");
  await expect(page.locator(".film-pin").first()).toContainText("slot 15");
  // The last frame is the buffer: where the address says the element is.
  const slider = page.getByRole("slider", { name: "Step of the film" });
  await slider.focus();
  await page.keyboard.press("End");
  await expect(page.locator(".film-pin").first()).toContainText("slot 17");
  await expect(page.locator(".formula-head")).toContainText("offset 17");
  await page.locator("#film-grid").focus();
  await page.keyboard.press("[");
  await expect(slider).toHaveValue(String(count - 2));
  // Another element is chosen in the frame, and pinned.
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: /^Pin \(/ }).click();
  await expect(page.locator(".film-pin")).toHaveCount(4);
  await page.waitForTimeout(1000);
  await page.reload();
  await expect(page.locator(".film-pin")).toHaveCount(4);
  await expect(slider).toHaveValue(String(count - 2));
});

test("two layouts are compared element by element", async ({ playground, page }) => {
  await playground.open("#compare=f32[3,5]{1,0}|f32[3,5]{1,0:T(2,2)}");
  await expect(page.locator("#compared-shape")).toHaveValue("f32[3,5]{1,0:T(2,2)}");
  await expect(page.locator(".relayout")).toContainText("96 B");
  await expect(page.locator(".spot-line")).toContainText("offset 13");
  await expect(page.locator(".spot-line")).toContainText("goes to offset 17");
  await page.locator("#memory-after-grid").focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".spot-line")).toContainText("row 2, column 0");
  await page.locator("#compared-shape").fill("f32[3,6]");
  await expect(page.locator(".misfit")).toContainText("3 × 6");
  await page.locator("#compared-shape").fill("f32[3,5]{0,1}");
  await expect(page.locator(".relayout")).toContainText(/copy/);
  await page.waitForTimeout(1000);
  expect(page.url()).toContain("compare=f32%5B3,5%5D%7B1,0%7D%7Cf32");
  await page.getByRole("button", { name: "End the comparison" }).click();
  await expect(page.locator("#memory-after-grid")).toHaveCount(0);
});

test("a comparison begins with another layout, and tells both in columns that do not overlap", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await playground.open("#shape=f32[128,3]{1,0:T(8,128)}");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.locator("#compared-shape")).toHaveValue(/^f32\[128,3\]/);
  await expect(page.locator("#compared-shape")).not.toHaveValue("f32[128,3]{1,0:T(8,128)}");
  await page.locator("#compared-shape").fill("f32[128,3]{0,1}");
  const side = (name: string) => page.locator(".two-wastes > div").filter({ hasText: name });
  await expect(side("Before")).toContainText("98 % of the memory is padding");
  await expect(side("After")).toContainText("No padding");
  const table = page.locator(".relayout table");
  await expect(table.getByRole("row", { name: /^padding/ })).toContainText(/62\.5 KiB.*none/);
  await expect(page.locator(".relayout")).toContainText("A copy reads 1.5 KiB and writes 1.5 KiB.");
  const overlaps = await page.locator(".layout-view").evaluate((view) => {
    const parts = [...view.querySelectorAll(":scope > *, .relayout td, .two-wastes > *")];
    const leaves = parts.filter(
      (part) => !parts.some((other) => other !== part && part.contains(other)),
    );
    const boxes = leaves.map((part) => part.getBoundingClientRect());
    const cut = leaves.filter((part) => part.scrollWidth > part.clientWidth + 1);
    return {
      cut: cut.map((part) => part.outerHTML.slice(0, 80)),
      over: boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter(
            (b) =>
              Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1,
          ),
      ).length,
    };
  });
  expect(overlaps).toEqual({ cut: [], over: 0 });
});

test("other layouts are ranked, opened and compared with", async ({ playground, page }) => {
  await playground.open("#shape=f32[128,3]{1,0:T(8,128)}");
  await page.getByText("Other layouts of this array").click();
  const rows = page.locator(".advice tbody tr");
  await expect(rows.first()).toBeVisible();
  // Nothing of a row is out of sight to the right.
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows.last().getByRole("button", { name: "Compare" })).toBeInViewport({ ratio: 1 });
  await rows.first().getByRole("button", { name: "Compare" }).click();
  await expect(page.locator("#compared-shape")).toHaveValue(/f32\[128,3\]/);
});

test("a picture and the map are taken away", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset 17");
  const save = (item: string) => saved(page, item);
  const svg = await save("SVG");
  expect(svg.name).toMatch(/^f32_3_5.*\.svg$/);
  expect(svg.bytes.toString()).toContain(">17</text>");
  const png = await save("PNG");
  expect([...png.bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  expect(png.bytes.length).toBeGreaterThan(3000);
  const csv = await save("CSV");
  const lines = csv.bytes.toString().trim().split("\n");
  expect(lines).toHaveLength(16);
  expect(lines).toContain("2,3,17,68,0");
});

test("what is taken away is what is shown: a comparison, a film, another notation", async ({
  playground,
  page,
}) => {
  await playground.open("#compare=f32[3,5]{1,0}|f32[3,5]{1,0:T(2,2)}");
  await expect(page.locator(".spot-line")).toContainText("goes to offset 17");
  const svg = (await saved(page, "SVG")).bytes.toString();
  expect(svg).toContain(">13→17</text>");
  expect(svg.match(/class="title"/g)).toHaveLength(3);
  const csv = await saved(page, "CSV");
  expect(csv.name).toMatch(/-to-/);
  const lines = csv.bytes.toString().trim().split("\n");
  expect(lines[0]).toBe("index0,index1,offset,byte,bit,other_offset,other_byte,other_bit");
  expect(lines).toContain("2,3,13,52,0,17,68,0");

  await playground.open("#morello=f32[6,8] [1, 0, 1 p(4)]");
  await expect.poll(() => playground.spoken("logical")).toContain("offset 41");
  const map = (await saved(page, "CSV")).bytes.toString();
  expect(map).toContain("\n4,5,41,164,0\n");

  await playground.open("#ex=film&film=1");
  await expect(page.locator(".film-caption")).toContainText("pad to whole tiles");
  const frame = (await saved(page, "SVG")).bytes.toString();
  expect(frame).toContain("1 of 4: pad to whole tiles");
  expect(frame.match(/class="title"/g)).toHaveLength(1);
});

test("the picture of a large layout is its beginning, and the page says so", async ({
  playground,
  page,
}) => {
  await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
  const png = await saved(page, "PNG");
  expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(1000);
  expect(png.bytes.readUInt32BE(20)).toBeLessThanOrEqual(16_000);
  await expect(page.getByText(/The picture shows the beginning/)).toBeVisible();
});

test("sizes beyond exact numbers are told, and nothing counts for ever", async ({
  playground,
  page,
}) => {
  await playground.open("#shape=s8[3000000000,300000000]{0,1}");
  await expect(page.locator(".layout-view .empty")).toContainText("2^53");
  await expect(page.locator("#logical-grid")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
  await page.locator("#layout-shape").fill("s8[4,4]");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
  await playground.open("#compare=s8[4,4]|strides: s8[4,4] (100000000000000000,1)");
  await expect(page.locator(".misfit")).toContainText("2^53");
  await page.locator("#memory-grid").focus();
  await page.keyboard.press("End");
  await expect(page.locator(".spot-line")).toContainText("offset 11");
});

test("the selected cell is in sight when cells are shown", async ({ playground, page }) => {
  await playground.open("#shape=f32[2,3,2,3,2,3,2,3]");
  await expect.poll(() => playground.spoken("memory")).toContain("offset 0");
  await playground.scale("memory", "Cells");
  await page.locator("#memory-grid").focus();
  await page.keyboard.press("Control+End");
  await expect.poll(() => playground.spoken("memory")).toContain("offset 1,295");
  await playground.scale("memory", "Whole");
  await playground.scale("memory", "Cells");
  const seen = playground.frame("memory").locator(".overview .seen");
  await expect.poll(async () => Number(await seen.getAttribute("y"))).toBeGreaterThan(10);
  // An array whose selected element is among the first begins with its first row.
  await playground.open("#shape=f32[1000,200]{1,0:T(8,128)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset 0");
  await playground.scale("logical", "Cells");
  await expect(playground.frame("logical").locator(".overview .seen")).toHaveAttribute("y", "0");
});

test("a link keeps which dimensions run down and across", async ({ playground, page }) => {
  await playground.open("#shape=f32[2,3,4]&axes=0,2");
  await expect(page.getByLabel("down")).toHaveValue("0");
  await expect(page.getByLabel("across")).toHaveValue("2");
  await page.getByLabel("down").selectOption("1");
  await page.getByLabel("across").selectOption("0");
  await expect.poll(() => page.url()).toContain("axes=1,0");
  await page.reload();
  await expect(page.getByLabel("across")).toHaveValue("0");
  await expect(page.getByLabel("down")).toHaveValue("1");
});

test("the address begins with the formula and its numbers", async ({ playground, page }) => {
  await playground.open("#ex=figure-1");
  const lines = page.locator(".formula li").first().locator("code");
  await expect(lines.filter({ hasText: "(1 * 3 + 1) * 2 * 2 + (0 * 2 + 1)" })).toBeInViewport();
  await expect(lines.filter({ hasText: "= 17" })).toHaveCount(1);
});

test("a film on a narrow screen shows its slider and its frame together", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.open("#ex=film");
  const grid = page.locator("#film-grid");
  await grid.scrollIntoViewIfNeeded();
  await expect(grid).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByRole("slider", { name: "Step of the film" })).toBeInViewport();
});

test("colours say what they show, and what models assume", async ({ playground, page }) => {
  await playground.open("#shape=bf16[16,256]{1,0:T(8,128)(2,1)}");
  await page.getByLabel("Colour by").selectOption("lane");
  await expect(page.locator(".spot-line")).toContainText(/register 0, sublane \d, lane \d/);
  await expect(page.locator(".assumption")).toContainText("A model");
  await page.getByLabel("Colour by").selectOption("tile");
  await expect(page.locator(".assumption")).toHaveCount(0);
});

test("the memory of a program, and of a report", async ({ playground, page }) => {
  await playground.open("#ex=padding-waste");
  await playground.ran();
  await playground.tab("Memory").click();
  await expect(page.locator(".memory-head")).toContainText("at the peak");
  await expect(page.locator(".memory-timeline")).toBeVisible();
  await page.getByRole("button", { name: "by padding" }).click();
  const first = page.locator(".memory-buffers tbody tr").first();
  await expect(first).toContainText("%");
  await first.locator("button").nth(1).click();
  await expect(playground.tab("Layout")).toHaveAttribute("aria-selected", "true");
  await playground.open("#ex=memory-report");
  await page.reload();
  await expect(page.locator(".memory-head")).toContainText("ran out of memory");
  await expect(playground.status).toContainText("report");
  await expect(page.locator(".memory-buffers tbody tr")).toHaveCount(3);
  await page.locator(".memory-buffers tbody tr").nth(1).locator("button").nth(1).click();
  await expect(page.locator("#layout-shape")).toHaveValue(/524288/);
});

test("a pasted report is shown where its buffers are", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await expect(playground.tab("Layout")).toHaveAttribute("aria-selected", "true");
  await playground.write(await readFile("web/src/examples/memory-report.txt", "utf8"));
  await expect(page.locator(".memory-head")).toContainText("ran out of memory");
  const row = page.locator(".memory-buffers tbody tr").nth(1);
  await expect(page.locator(".memory-buffers thead")).toContainText("Unpadded, MiB");
  await expect(row.locator("td").nth(1)).toHaveText("2");
  await expect(row.locator("td").last()).toContainText("dimension 1: 1 padded to 128");
  await expect(row.locator("td").last()).toBeInViewport({ ratio: 1 });
  // Who goes elsewhere stays there.
  await playground.tab("Layout").click();
  await page.waitForTimeout(500);
  await expect(playground.tab("Layout")).toHaveAttribute("aria-selected", "true");
});

test("an overview shows where one is in a large grid, and leads elsewhere", async ({
  playground,
}) => {
  await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}");
  await playground.scale("logical", "Cells");
  const overview = playground.frame("logical").locator(".overview");
  await expect(overview).toBeVisible();
  const before = Number(await overview.locator(".seen").getAttribute("x"));
  await overview.click({ position: { x: 18, y: 18 } });
  await expect
    .poll(async () => Number(await overview.locator(".seen").getAttribute("x")))
    .toBeGreaterThan(before + 10);
});

test("layouts in every notation: Morello, CuTe, strides, and into one another", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=morello-packed");
  await playground.ran();
  const box = page.locator("#layout-shape");
  await expect(box).toHaveValue("morello: f32[6,8] [1, 0, 1 p(4)]");
  // b = d1 mod 4 + 4 d0 + 24 (d1 / 4): element (4,5) lies at 1 + 16 + 24.
  await expect.poll(() => playground.spoken("logical")).toContain("offset 41");
  await expect(page.locator(".hexdump .on").first()).toBeVisible();
  await page.getByText("In other notations").click();
  const conversions = page.locator(".conversions");
  await expect(conversions).toContainText("T(4,1)");
  await conversions.getByRole("button", { name: /^cute:/ }).click();
  await expect(box).toHaveValue(/^cute: /);
  await playground.open("#cute=f32 (4,(2,8)):(16,(1,2))");
  await expect(box).toHaveValue("cute: f32 (4,(2,8)):(16,(1,2))");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
  await playground.open("#ex=morello-odd-even");
  await page.reload();
  await expect(box).toHaveValue("morello: f32[2,16] [0, 1, 1 oe(8)]");
  await page.getByRole("button", { name: "Film" }).click();
  await expect(page.locator(".film-steps li").nth(2)).toBeVisible();
});

test("what is wrong with a layout is marked where it is", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  const box = page.locator("#layout-shape");
  for (const [text, wrong] of [
    ["f32[3,5]{1,1}", /1/],
    ["f32[3,5]{1,0:T(0,2)}", /0/],
    ["f32[3,5]{1,0:T(2,*)}", /\*/],
    ["morello: f32[6,8] [0, 1, 1 p(3)]", /3/],
    ["strides: f32[4,4] (1,1)", /./],
  ] as const) {
    await box.fill(text);
    await expect(page.locator(".faults mark").first(), text).toContainText(wrong);
  }
  await box.fill("f32[9223372036854775807,9223372036854775807]");
  await expect(page.locator(".faults li").first()).toBeVisible();
});
