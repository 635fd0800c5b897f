import { readFile } from "node:fs/promises";
import { expect, test } from "./page";

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

test("other layouts are ranked, opened and compared with", async ({ playground, page }) => {
  await playground.open("#shape=f32[128,3]{1,0:T(8,128)}");
  await page.getByText("Other layouts of this array").click();
  const rows = page.locator(".advice tbody tr");
  await expect(rows.first()).toBeVisible();
  await rows.first().getByRole("button", { name: "Compare" }).click();
  await expect(page.locator("#compared-shape")).toHaveValue(/f32\[128,3\]/);
});

test("a picture and the map are taken away", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset 17");
  const save = async (item: string) => {
    await page.getByRole("button", { name: "Export" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    const file = await saving;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
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

test("an overview shows where one is in a large grid, and leads elsewhere", async ({
  playground,
  page,
}) => {
  await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}");
  const overview = page.locator(".pictures section").first().locator(".overview");
  await expect(overview).toBeVisible();
  const before = Number(await overview.locator(".seen").getAttribute("x"));
  await overview.click({ position: { x: 40, y: 40 } });
  await expect
    .poll(async () => Number(await overview.locator(".seen").getAttribute("x")))
    .toBeGreaterThan(before + 20);
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
