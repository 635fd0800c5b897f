/** How the page looks: what stands beside what, and whether it fits. */

import type { Locator } from "@playwright/test";
import { expect, test } from "./page";

/** Where they are, once the first of them is seen. */
const boxes = async (all: Locator) => {
  await all.first().waitFor();
  return all.evaluateAll((each) =>
    each.map((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
};

const NAME = "a.name.that.goes.on.and.on.as.those.of.jitted.functions.with.many.scopes.do".repeat(
  2,
);

test("the items of a menu begin at one place, whether or not they have a mark", async ({
  playground,
  page,
}) => {
  await playground.open();
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Fold metadata" }).click();
  await page.getByRole("button", { name: "View", exact: true }).click();
  await expect(page.getByRole("menuitemcheckbox", { checked: true })).toHaveCount(1);
  const lefts = (await boxes(page.locator("#text-menu-menu button > span"))).map(
    ({ left }) => left,
  );
  expect(lefts.length).toBeGreaterThan(5);
  expect(new Set(lefts).size).toBe(1);
});

test("a choice that is made moves none of the others", async ({ playground, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await playground.open("#ex=padded-mlp&view=why");
  await playground.ran();
  const buttons = page.locator(".why-view fieldset button");
  const before = await boxes(buttons);
  await page.getByRole("button", { name: "Largest loss of precision" }).click();
  await page.getByRole("button", { name: "What does it reach?" }).click();
  await expect(page.getByRole("button", { name: "What does it reach?" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(await boxes(buttons)).toEqual(before);
});

test("long names end in an ellipsis: what is beside them is seen", async ({ playground, page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const types = Array<string>(12).fill("f32[4]{0}").join(", ");
  await playground.begin(`HloModule m
ENTRY %${NAME} {
  %x = f32[4]{0} parameter(0)
  %y = f32[4]{0} sine(%x)
  ROOT %all = (${types}) tuple(${Array<string>(12).fill("%y").join(", ")})
}`);
  await page.keyboard.press("Control+Enter");
  await playground.ran();
  await page.getByRole("tab", { name: "Values" }).click();
  await playground.values.getByText("%y", { exact: true }).click();
  const preview = page.locator(".result-line .preview");
  await expect(preview).toBeInViewport({ ratio: 1 });
  const line = (await boxes(page.locator(".result-line")))[0];
  expect((await boxes(preview))[0]?.right).toBeLessThanOrEqual(line?.right ?? 0);

  await page.getByRole("tab", { name: "Outline" }).click();
  await expect(page.locator(".outline-computation .muted")).toBeInViewport({ ratio: 1 });
  await page.getByRole("tab", { name: "Profile" }).click();
  await expect(page.getByRole("columnheader", { name: "How" })).toBeInViewport({ ratio: 1 });

  await page.getByRole("tab", { name: "Debug" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.locator(".debug-stack button")).toBeVisible();
  const call = (await boxes(page.locator(".debug-stack button")))[0];
  const watches = (await boxes(page.getByRole("region", { name: "Watches" })))[0];
  expect(call?.right).toBeLessThanOrEqual(watches?.left ?? 0);
});

test("the pictures of a layout begin at one height, numbers below their names", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await playground.open("#shape=bf16[3,1,2,1,5,7]{5,4,3,2,1,0:T(8,128)(2,1)}");
  await expect(playground.grid("memory")).toBeVisible();
  const [logical, memory] = await boxes(page.locator(".pictures .grid-frame"));
  expect(logical?.top).toBe(memory?.top);

  await playground.open("#ex=padded-mlp&view=memory");
  // The buffers come after the head of their table, and may widen its columns.
  const number = (await boxes(page.locator(".memory-buffers td.number > span")))[0];
  const header = page.getByRole("columnheader", { name: /^Size/ });
  const textRight = await header.evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect().right;
  });
  expect(Math.abs(textRight - (number?.right ?? 0))).toBeLessThan(1);
});

test("a comparison says that its graphs are being laid out", async ({ playground, page }) => {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(/elk-worker/, async (route) => {
    await held;
    await route.continue();
  });
  await playground.open("#ex=padded-mlp&view=diff");
  await page.getByRole("button", { name: "Keep this version to compare with" }).click();
  await page.getByRole("button", { name: "Graphs" }).click();
  await expect(page.getByText("Laying out …").first()).toBeVisible();
  go();
  await expect(page.locator(".compare-graph svg").first()).toBeVisible();
  await expect(page.getByText("Laying out …")).toHaveCount(0);
});

test("times and shares are whole, however small; of the tab beside the one shown something is seen", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await playground.begin(`ENTRY e {
  big = f32[70000] iota(), iota_dimension=0
  few = f32[3] iota(), iota_dimension=0
  ROOT all = (f32[70000], f32[3]) tuple(big, few)
}`);
  await page.getByRole("tab", { name: "Cost" }).click();
  const times = page.locator(".cost-rows .cost-time");
  await expect(times).toHaveCount(3);
  await expect(times.last()).toContainText("<0.1 %");
  const cut = await times.evaluateAll((all) => all.map((t) => t.scrollWidth - t.clientWidth));
  expect(cut).toEqual([0, 0, 0]);

  await page.getByRole("tab", { name: "Devices" }).click();
  await page.getByRole("tab", { name: "Outline" }).click();
  await expect(page.getByRole("tab", { name: "Layout" })).toBeInViewport();
});

test("all moves of the debugger are on one line at 390 px", async ({ playground, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.open("#ex=padded-mlp&view=debug");
  await page.getByRole("button", { name: "Start" }).click();
  const moves = page.locator(".debug-moves button:has(svg)");
  await expect(moves).toHaveCount(10);
  expect(new Set((await boxes(moves)).map(({ top }) => top)).size).toBe(1);
});
