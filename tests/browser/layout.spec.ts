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
  await playground.scale("logical", "Cells");
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
    await playground.scale(grid, "Cells");
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

for (const shape of [
  "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
  "s8[1024,8192]{1,0:T(8,128)(4,1)}",
  "f32[100,300]{1,0:T(8,128)}",
]) {
  test(`the whole of ${shape} is seen first, from its start`, async ({ playground, page }) => {
    await playground.open(`#shape=${shape}`);
    for (const grid of ["logical", "memory"] as const) {
      await expect(playground.foot(grid).getByRole("button", { name: "Whole" })).toHaveAttribute(
        "aria-pressed",
        "true",
      );
      // Nothing is out of sight: there is nothing to scroll, and no overview.
      await expect(playground.frame(grid).locator(".scrollbar, .overview")).toHaveCount(0);
      await expect.poll(() => playground.spoken(grid)).toMatch(/row(s)? 0|offsets 0 to/);
    }
    await expect(page.locator(".formula-head")).toContainText(/\(0(, 0)+\)/);
  });
}

test("a scale that was left at once does not come back", async ({ playground, page }) => {
  await playground.open("#shape=bf16[4096,14336]{1,0:T(8,128)(2,1)}");
  for (const grid of ["logical", "memory"] as const) {
    const foot = playground.foot(grid);
    await expect(foot.locator(".scales [aria-pressed=true]")).toHaveText("Whole");
    // What Bytes would say of itself once it rests is due, and is told after the next click.
    await foot.locator(".scales").evaluate(async (scales) => {
      const click = (name: string): void => {
        for (const button of scales.querySelectorAll("button")) {
          if (button.textContent === name) button.click();
        }
      };
      click("Bytes");
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      const end = performance.now() + 400;
      while (performance.now() < end);
      click("Tiles");
    });
    await page.waitForTimeout(400);
    await expect(foot.locator(".scales [aria-pressed=true]")).toHaveText("Tiles");
    await expect
      .poll(() => playground.spoken(grid))
      .toMatch(grid === "logical" ? /columns 0 to 127, from offset 0/ : /offsets 0 to 1,023/);
  }
});

test("one goes from the whole to bytes and back by wheel, keys and buttons", async ({
  playground,
  page,
}) => {
  await playground.open("#shape=bf16[4096,14336]{1,0:T(8,128)(2,1)}");
  for (const grid of ["logical", "memory"] as const) {
    const pressed = playground.foot(grid).locator(".scales [aria-pressed=true]");
    await expect(pressed).toHaveText("Whole");
    const box = await playground.grid(grid).boundingBox();
    if (!box) throw new Error("no grid");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const seen = new Set<string>();
    await page.keyboard.down("Control");
    for (let i = 0; i < 60 && !seen.has("Bytes"); i++) {
      await page.mouse.wheel(0, -120);
      await page.waitForTimeout(20);
      for (const name of await pressed.allTextContents()) seen.add(name);
    }
    // Other than the names there may be scales between them.
    expect([...seen]).toEqual(expect.arrayContaining(["Tiles", "Cells", "Bytes"]));
    for (let i = 0; i < 60; i++) await page.mouse.wheel(0, 240);
    await page.keyboard.up("Control");
    await expect(pressed).toHaveText("Whole");
    await expect(playground.frame(grid).locator(".scrollbar")).toHaveCount(0);
    await playground.grid(grid).focus();
    for (let i = 0; i < 80; i++) await page.keyboard.press("+");
    await expect(pressed).toHaveText("Bytes");
    await page.keyboard.press("0");
    await expect(pressed).toHaveText("Whole");
    await playground.scale(grid, "Bytes");
    await expect.poll(() => playground.spoken(grid)).toContain("offset 0, byte 0");
    await playground.scale(grid, "Tiles");
    await playground.grid(grid).focus();
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => playground.spoken(grid))
      .toMatch(
        grid === "logical" ? /columns 128 to 255, from offset 1,024/ : /offsets 1,024 to 2,047/,
      );
    await page.keyboard.press("ArrowLeft");
  }
});

test("two fingers zoom a picture", async ({ playground }) => {
  await playground.open("#shape=bf16[4096,14336]{1,0:T(8,128)(2,1)}");
  const pressed = playground.foot("logical").locator(".scales [aria-pressed=true]");
  await expect(pressed).toHaveText("Whole");
  await playground.grid("logical").evaluate(async (grid) => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const box = grid.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    grid.setPointerCapture = () => {};
    const send = (type: string, pointerId: number, dx: number): void => {
      const at = { clientX: x + dx, clientY: y, pointerId, pointerType: "touch", bubbles: true };
      grid.dispatchEvent(new PointerEvent(type, { ...at, button: 0 }));
    };
    for (let turn = 0; turn < 12; turn++) {
      send("pointerdown", 1, -10);
      send("pointerdown", 2, 10);
      for (let d = 20; d <= 100; d += 20) {
        send("pointermove", 2, d);
        await frame();
      }
      send("pointerup", 1, -10);
      send("pointerup", 2, 100);
    }
  });
  await expect(pressed).not.toHaveText("Whole");
});

for (const width of [390, 1280, 2560]) {
  test(`buttons and the overview cover no cell at ${width} px`, async ({ playground, page }) => {
    await page.setViewportSize({ width, height: 900 });
    await playground.open("#shape=f32[1000,200]{1,0:T(8,128)}");
    await playground.scale("logical", "Cells");
    for (const grid of ["logical", "memory"] as const) {
      const box = await playground.grid(grid).boundingBox();
      const foot = await playground.foot(grid).boundingBox();
      if (!box || !foot) throw new Error("no grid");
      expect(foot.y).toBeGreaterThanOrEqual(box.y + box.height);
      for (const part of await playground.foot(grid).locator("button, svg.overview").all()) {
        const inside = await part.boundingBox();
        expect(inside?.y).toBeGreaterThanOrEqual(foot.y);
        expect((inside?.x ?? 0) + (inside?.width ?? 0)).toBeLessThanOrEqual(foot.x + foot.width);
      }
    }
    await expect(playground.foot("logical").locator(".overview")).toBeVisible();
    // On a small screen the pictures come first; on a large one they use the room.
    const picture = await playground.grid("logical").boundingBox();
    const facts = await page.locator(".layout-view > .sizes").first().boundingBox();
    if (width === 390) expect(picture?.y).toBeLessThan(facts?.y ?? 0);
    if (width === 2560) expect(picture?.width).toBeGreaterThan(500);
  });
}

test("the bytes come back with the shape", async ({ playground, page }) => {
  const first = "f32[3,5]{1,0:T(2,2)}";
  // A program that has a value of this shape.
  await playground.open("#ex=figure-1&view=layout");
  await playground.ran();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator("#layout-shape").fill(first);
  const rows = page.locator(".hexdump div");
  await expect(rows).toHaveCount(6);
  // Lines are whole.
  const bytes = page.locator(".bytes");
  expect(await bytes.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
  for (const other of ["s4[7,9]{1,0:E(4)}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"]) {
    await page.locator("#layout-shape").fill(other);
    await expect(page.locator(".bytes")).toContainText("The bytes are shown when");
    await playground.grid("logical").click();
    await expect.poll(() => playground.spoken("logical")).toContain("byte");
    await page.locator("#layout-shape").fill(first);
    await expect(rows).toHaveCount(6);
  }
});

test("a legend says what numbers and colours are", async ({ playground, page }) => {
  await playground.open("#shape=f32[100,300]{1,0:T(8,128)}");
  const legend = page.getByRole("list", { name: "Legend" });
  for (const text of ["the number of its tile", "by tile", "padding"]) {
    await expect(legend).toContainText(text);
  }
  // Numbers that no picture shows are not explained.
  await expect(legend).not.toContainText("the element's offset");
  await expect(legend).not.toContainText("the element that lies there");
  await playground.scale("logical", "Cells");
  await expect(legend).toContainText("the element's offset, its place in memory");
  await playground.scale("memory", "Cells");
  await expect(legend).toContainText("the element that lies there");
  await expect(legend).not.toContainText("the number of its tile");
  await page.locator(".choices").getByLabel("Show").selectOption("index");
  await expect(legend).toContainText("array: the element's index");
  await page.getByLabel("Colour by").selectOption("row");
  await expect(legend).toContainText("by row");
});

test("at 390 px what belongs to a shape is on one line below it", async ({ playground, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.open();
  const tools = page.locator(".shape-bar").first().locator(":is(button, select):visible");
  await expect(tools).toHaveCount(4);
  const middles = await tools.evaluateAll((all) =>
    all.map((tool) => {
      const { top, bottom } = tool.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8);
});

for (const width of [1280, 1440]) {
  test(`no choice stands on a line of its own at ${width} px`, async ({ playground, page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const shape of ["f32[3,5]{1,0:T(2,2)}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}"]) {
      await playground.open(`#shape=${shape}`);
      const lines = new Map<number, number>();
      for (const part of await page.locator(".choices label, .choices button").all()) {
        const box = await part.boundingBox();
        const line = Math.round(((box?.y ?? 0) + (box?.height ?? 0) / 2) / 10);
        lines.set(line, (lines.get(line) ?? 0) + 1);
      }
      expect(Math.min(...lines.values()), shape).toBeGreaterThan(1);
    }
    for (const button of await page.locator("button:visible").all()) {
      const name = (await button.innerText()).trim() || (await button.getAttribute("aria-label"));
      expect(name, await button.evaluate((element) => element.outerHTML)).toBeTruthy();
      if (!(await button.innerText()).trim()) {
        expect(await button.getAttribute("title"), name ?? "").toBeTruthy();
      }
    }
  });
}
