import { expect, test } from "./page";

test("shows a typed shape without a run, and its padding", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  await expect(page.locator("#layout-shape")).toHaveValue("f32[3,5]{1,0:T(2,2)}");
  await expect.poll(() => playground.spoken("logical")).toContain("row 2, column 3");
  await expect.poll(() => playground.spoken("logical")).toContain("offset 17, byte 68");
  await expect.poll(() => playground.spoken("logical")).toContain("tile 4");
  await page.locator("#layout-shape").fill("f32[128,3]{1,0:T(8,128)}");
  await expect(page.getByText("98 % of the memory is padding")).toBeVisible();
});

test("hovering goes both ways", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  const line = page.locator(".spot-line");
  await expect(line).toContainText("offset 17");
  // Where cell (row, column) of a grid lies, from the selected cell's own place.
  const logical = await playground.grid("logical").boundingBox();
  const memory = await playground.grid("memory").boundingBox();
  if (!logical || !memory) throw new Error("no grids");
  await page.mouse.move(logical.x + 24 + 20, logical.y + 20 + 12);
  await expect(line).toContainText("row 0, column 0");
  await expect(line).toContainText("offset 0");
  await page.mouse.move(memory.x + 28 + 12, memory.y + 20 + 12);
  await expect(line).toContainText("row 0, column 0");
  // The last cell of memory's first line is padding.
  await page.mouse.move(memory.x + memory.width - 8, memory.y + 20 + 12);
  await expect(line).toContainText("padding");
  await page.mouse.click(memory.x + 28 + 12, memory.y + 20 + 12);
  await expect.poll(() => playground.spoken("logical")).toContain("row 0, column 0");
  await expect(page.locator(".formula-head")).toContainText("(0, 0)");
});

test("arrow keys move one selection in every view", async ({ playground, page }) => {
  await playground.open("#ex=figure-1");
  await playground.ran();
  await playground.grid("logical").focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => playground.spoken("logical")).toContain("row 2, column 2");
  await expect.poll(() => playground.spoken("memory")).toContain("offset 16");
  await expect(page.locator(".hexdump .on").first()).toBeVisible();
  await playground.tab("Values").click();
  await expect.poll(() => playground.spoken("value")).toContain("row 2, column 2, value 22");
});

test("follows the cursor", async ({ playground, page }) => {
  await playground.open("#ex=figure-1");
  await expect(page.locator("#layout-shape")).toHaveValue("f32[3,5]{1,0:T(2,2)}");
  await page.locator(".cm-line", { hasText: "ten = f32[]" }).click();
  await expect(page.locator("#layout-shape")).toHaveValue(/^f32\[\]/);
});

test("shapes of any rank and size answer at once", async ({ playground, page }) => {
  await playground.open("#shape=f32[1000000,7,1000000]{2,1,0:T(8,128)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
  await playground.grid("logical").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+ArrowDown");
  await expect.poll(() => playground.spoken("logical")).toContain("column 999999");
  await page.getByRole("spinbutton", { name: /dimension 0/ }).fill("999999");
  await expect(page.locator(".formula")).toContainText(/offset/);
  await page.locator("#layout-shape").fill("s8[9223372036854775807,9]");
  await page.locator("#layout-shape").fill("f32[3,5]{1,0:T(2");
  await expect(page.locator(".faults")).toBeVisible();
  await page.locator("#layout-shape").fill("f32[2]");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
});

for (const grid of ["logical", "memory"] as const) {
  test(`the wheel goes through the ${grid} grid of 4096 by 4096 elements, zooms, and comes back`, async ({
    playground,
    page,
  }) => {
    test.slow();
    await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}");
    await expect.poll(() => playground.spoken(grid)).toContain("offset");
    const box = await playground.grid(grid).boundingBox();
    if (!box) throw new Error("no grid");
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    /** The offset of the cell in the middle; of a logical one it must be that of its tile. */
    const middle = async (): Promise<number> => {
      await page.mouse.click(x, y);
      let at = -1;
      // The selection is spoken of as soon as its address has come from the engine.
      await expect(async () => {
        const spoken = (await playground.spoken(grid)).replace(/(\d),(?=\d)/g, "$1");
        at = Number(/offset (\d+)/.exec(spoken)?.[1]);
        expect(at).toBeGreaterThanOrEqual(0);
        if (grid === "memory") return;
        const [row = -1, col = -1] = [...spoken.matchAll(/(?:row|column) (\d+)/g)].map((m) =>
          Number(m[1]),
        );
        const tile = Math.floor(row / 8) * 32 + Math.floor(col / 128);
        expect(at).toBe(tile * 1024 + (row % 8) * 128 + (col % 128));
      }).toPass();
      return at;
    };
    await page.mouse.move(x, y);
    await page.mouse.wheel(-1e6, -1e6);
    await expect.poll(middle).toBeLessThan(100_000);
    const first = await middle();
    for (let i = 0; i < 60; i++) await page.mouse.wheel(370, 530);
    await expect.poll(middle).toBeGreaterThan(first + 5_000);
    // What lies under the pointer stays there when the grid is zoomed.
    const far = await middle();
    await page.keyboard.down("Control");
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -40);
    await page.keyboard.up("Control");
    await expect.poll(middle).toBe(far);
    await page.keyboard.down("Control");
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, 40);
    await page.keyboard.up("Control");
    await expect.poll(middle).toBe(far);
    for (let i = 0; i < 60; i++) await page.mouse.wheel(-370, -530);
    await expect.poll(middle).toBe(first);
  });
}

test("the picture is a table for those who want one", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  await page.getByRole("button", { name: "As table" }).click();
  await expect(page.getByRole("table").getByRole("row").nth(3)).toContainText(
    /12\s*13\s*16\s*17\s*20/,
  );
});
