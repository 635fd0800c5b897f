import { axeFaults, expect, openSettings, test } from "./page";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing: ${colorScheme}, ${width} wide`, async ({ playground, page }) => {
      test.slow();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await playground.open();
      await playground.ran();
      for (const view of [
        "Values",
        "Layout",
        "Outline",
        "Graph",
        "Ops",
        "StableHLO",
        "Memory",
        "Cost",
        "Profile",
        "Compare",
      ]) {
        await playground.tab(view).click();
        await page.waitForTimeout(300);
        expect(await axeFaults(page), view).toEqual([]);
      }
      if (width < 800) {
        for (const part of ["Program", "Inputs"]) {
          await playground.tab(part).click();
          expect(await axeFaults(page), part).toEqual([]);
        }
        // What has no button here is in the menu.
        await page.getByRole("button", { name: "View", exact: true }).click();
        for (const name of ["Open a folder", "Format", "Other dialect"]) {
          await expect(page.getByRole("menu").getByText(name, { exact: true })).toBeVisible();
        }
        expect(await axeFaults(page), "view").toEqual([]);
        await page.keyboard.press("Escape");
      }
      await page.getByRole("button", { name: "Download" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
      expect(await axeFaults(page), "menu").toEqual([]);
      await page.keyboard.press("Escape");
      for (const key of ["ControlOrMeta+k", "F1"]) {
        await page.keyboard.press(key);
        await expect(page.getByRole("dialog")).toBeVisible();
        expect(await axeFaults(page), key).toEqual([]);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
    });
  }
}

for (const [what, hash] of [
  ["a film", "#ex=film"],
  ["a comparison", "#compare=f32[3,5]{1,0}|f32[3,5]{1,0:T(2,2)}"],
  ["a report", "#ex=memory-report"],
] as const) {
  test(`axe finds nothing in ${what}`, async ({ playground, page }) => {
    test.slow();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await playground.open(hash);
      await page.waitForTimeout(800);
      const advice = page.getByText("Other layouts of this array");
      if (colorScheme === "light" && (await advice.count()) > 0) await advice.click();
      expect(await axeFaults(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForTimeout(400);
    expect(await axeFaults(page), "narrow").toEqual([]);
  });
}

// Axe looks at elements, and tokens are none.
test("tokens can be read on every line they may be on", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await expect.poll(() => playground.coloured("keyword")).toContain("HloModule");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const faint = await page.locator(".left .cm-editor").evaluate((editor) => {
      const context = document
        .createElement("canvas")
        .getContext("2d", { willReadFrequently: true });
      const canvas = context as CanvasRenderingContext2D;
      const luminance = (...colours: string[]) => {
        for (const colour of colours) {
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
        }
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
          const x = byte / 255;
          return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const line = editor.querySelector(".cm-activeLine") as Element;
      const paper = getComputedStyle(editor).backgroundColor;
      const names = [...CSS.highlights.keys()].filter((name) => name.startsWith("tok-"));
      const faint = names.flatMap((name) => {
        const { color } = getComputedStyle(line, `::highlight(${name})`);
        const ratios = [paper, getComputedStyle(line).backgroundColor].map((background) => {
          const [a, b] = [luminance(color), luminance(paper, background)];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        });
        const contrast = Math.min(...ratios);
        return contrast < 4.5 ? [`${name}: ${contrast.toFixed(2)}`] : [];
      });
      const colours = names.map((name) => getComputedStyle(line, `::highlight(${name})`).color);
      return new Set(colours).size < 8 ? ["tokens look alike"] : faint;
    });
    expect(faint, colorScheme).toEqual([]);
  }
});

test("nothing is wider than a narrow screen", async ({ playground, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.open("#ex=all-reduce");
  await playground.ran();
  for (const view of [
    "Program",
    "Inputs",
    "Values",
    "Layout",
    "Outline",
    "Ops",
    "StableHLO",
    "Memory",
  ]) {
    await playground.tab(view).click();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, view).toBe(0);
  }
});

test("the toolbar fits into the narrowest screen, whatever is set", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await playground.open();
  await playground.ran();
  await openSettings(page);
  await page.getByLabel("Seed").fill("7");
  await page.getByLabel("Time limit (s)").fill("20");
  await page.keyboard.press("Escape");
  await expect(page.locator(".toolbar .badge")).toHaveText("2");
  for (const width of [320, 344, 360, 390]) {
    await page.setViewportSize({ width, height: 568 });
    await expect(page.getByRole("button", { name: "Help" })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("what a short screen has no room for is reached by scrolling", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=padded-mlp&view=values&v=product");
  await playground.ran();
  for (const [width, height] of [
    [390, 664],
    [640, 400],
    [844, 390],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await playground.tab("Values").click();
    await page.getByText("elements 12").scrollIntoViewIfNeeded();
    await expect(page.getByText("elements 12")).toBeInViewport({ ratio: 1 });
    expect((await playground.grid("value").boundingBox())?.height).toBeGreaterThan(90);
    await playground.tab("Graph").click();
    const users = page.locator(".graph-neighbours").last();
    await users.scrollIntoViewIfNeeded();
    await expect(users).toBeInViewport({ ratio: 0.9 });
  }
});

test("Tab goes through the layout of a small screen as it is seen", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.open("#shape=f32[3,5]{1,0:T(2,2)}");
  await page.locator("#layout-shape").focus();
  const reached: string[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement?.id ?? ""));
    if (reached.at(-1) === "memory-grid") break;
  }
  expect(reached.filter((id) => id.endsWith("-grid"))).toEqual(["logical-grid", "memory-grid"]);
  const order = await page
    .locator(".layout-view > *")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test("a wrong shape is said of its field", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,");
  const field = page.getByRole("textbox", { name: "Shape with layout" });
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(/expects a dimension size/);
  await field.fill("f32[3]");
  await expect(field).toHaveAttribute("aria-invalid", "false");
});

test("forced colours keep the pictures readable", async ({ playground, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await playground.open("#ex=padded-mlp");
  await playground.ran();
  expect(await axeFaults(page)).toEqual([]);
  // Each token would have a ground of its own, and a button that runs words of the colour of its ground.
  expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
  const run = page.getByRole("button", { name: "Run", exact: true });
  await expect(run).toHaveCSS("forced-color-adjust", "none");
  await playground.tab("Memory").click();
  await expect(page.locator(".buffer-legend")).toBeVisible();
  const fills = await page
    .locator(".buffer-legend .swatch")
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  expect(fills.length).toBeGreaterThan(3);
  expect(new Set(fills).size).toBe(fills.length);
  await page.emulateMedia({ forcedColors: "none" });
  await expect.poll(() => page.evaluate(() => CSS.highlights.size)).toBeGreaterThan(0);
});
