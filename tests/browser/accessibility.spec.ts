import { axeFaults, expect, test } from "./page";

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

test("forced colours keep the pictures readable", async ({ playground, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await playground.open();
  await playground.ran();
  expect(await axeFaults(page)).toEqual([]);
});
