import { expect, test } from "./page";

test("a link opens on the same program, view and cell", async ({ playground, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open("#ex=figure-1");
  await playground.ran();
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("// mine √\n");
  await page.locator(".cm-line", { hasText: "ROOT numbered" }).click();
  await playground.grid("logical").focus();
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => playground.spoken("logical")).toContain("row 1, column 3");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Link copied.")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#1\/[\w-]+&view=layout&v=numbered&in=[\w.-]+&cell=1,3$/);
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator(".cm-content")).toContainText("// mine √");
  await expect(other.locator("#logical-grid").getByRole("gridcell")).toContainText(
    "row 1, column 3",
  );
  await other.close();
});

test("a link leads to one round of a loop, in the computation that it names", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=while-loop&view=values&v=%25step&in=body&at=2");
  await playground.ran();
  const chosen = playground.values.getByRole("option", { selected: true });
  await expect(chosen).toContainText("step");
  await expect(page.locator(".cm-activeLine").first()).toContainText("step = s32[]");
  await expect.poll(() => page.url()).toMatch(/v=step[.]1&in=body&at=2/);
  // The step of the third round is 2, in the body; in the condition there are seven more.
  await expect(page.locator(".value-detail")).toContainText("2");
  // In another round of the same loop it goes on being the one that was chosen.
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect.poll(() => page.url()).toMatch(/v=step[.]1&in=body&at=2/);
});

test("a link leads to the iteration of a loop that is shown, whatever value is looked at", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=while-loop&view=values");
  await playground.ran();
  const slider = page.getByRole("slider", { name: /Iteration of / });
  await slider.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", /^iteration 1 \(/);
  await playground.values.getByRole("option", { name: /output/ }).click();
  await expect.poll(() => page.url()).toMatch(/iteration=/);
  const link = page.url();
  const other = await page.context().newPage();
  await other.goto(link);
  const there = other.getByRole("slider", { name: /Iteration of / });
  await expect(there).toHaveAttribute("aria-valuetext", /^iteration 1 \(/);
  await other.close();
});

test("a link by hand with a title", async ({ playground, page }) => {
  await playground.open("#shape=bf16[16,256]{1,0:T(8,128)(2,1)}&title=Two rows in one word");
  await expect(page).toHaveTitle(/Two rows in one word/);
  await expect(page.locator("#layout-shape")).toHaveValue("bf16[16,256]{1,0:T(8,128)(2,1)}");
});

test("damaged links are named, and the page works", async ({ playground, page }) => {
  for (const hash of [
    "#1/!!!!",
    "#7/abc",
    "#ex=none",
    "#foo",
    "#1/AAAA&view=nowhere&cell=zzz&v=%",
  ]) {
    await playground.open(hash);
    await expect(page.locator(".notice.error")).toBeVisible();
    await page.locator(".notice.error").getByRole("button", { name: "Close" }).click();
    await playground.ran();
  }
  // What is said of a link goes with the program that came instead.
  await playground.open("#ex=no-other");
  await expect(page.locator(".notice.error")).toBeVisible();
  await page.evaluate(() => {
    window.location.hash = "#ex=one-instruction";
  });
  await expect(page.locator(".notice.error")).toHaveCount(0);
});

test("a link to a layout brings no program; a bare address brings the last work", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY mine { ROOT c = s32[] constant(42) }");
  await expect.poll(() => page.url()).toContain("#1/");
  await page.waitForTimeout(500);
  const other = await page.context().newPage();
  await other.goto(`${new URL("./", page.url()).href}#shape=f32[3,5]{1,0:T(2,2)}`);
  await expect(other.locator("#layout-shape")).toHaveValue("f32[3,5]{1,0:T(2,2)}");
  await other.waitForTimeout(1500);
  await expect(other.locator(".left .cm-placeholder")).toBeVisible();
  expect(other.url()).toContain("#shape=");
  await other.goto("about:blank");
  await other.goto(new URL("./", page.url()).href);
  await expect(other.locator(".left .cm-content")).toContainText("constant(42)");
  await other.close();
});

test("the address follows how memory and values are looked at", async ({ playground, page }) => {
  await playground.open("#ex=padded-mlp&view=memory");
  await page.getByRole("button", { name: "by padding" }).click();
  await page.getByRole("button", { name: "all", exact: true }).click();
  await expect.poll(() => page.url()).toMatch(/by=padding&live=all/);
  await playground.tab("Values").click();
  await page.getByRole("searchbox").fill("dot");
  await expect.poll(() => page.url()).toContain("find=dot");
});

test("a link holds how near the pictures of a layout are, and where", async ({
  playground,
  page,
  context,
}) => {
  const text = (id: "logical" | "memory") => playground.foot(id).locator("[aria-pressed=true]");
  const middleOf = async (opened: typeof page, id: string): Promise<string> => {
    await expect(opened.locator(".spot-line")).toContainText(/offset/);
    await opened.waitForTimeout(500);
    const box = await opened.locator(`#${id}-grid`).boundingBox();
    if (!box) throw new Error("no grid");
    await opened.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await expect(opened.locator(".spot-line")).toContainText(/offset/);
    return (await opened.locator(".spot-line > span").first().textContent()) ?? "";
  };
  await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}");
  await expect.poll(() => playground.spoken("logical")).toContain("offset");
  await playground.scale("logical", "Cells");
  await expect.poll(() => page.url()).toMatch(/&logical=cells$/);
  await playground.scale("memory", "Tiles");
  await expect.poll(() => page.url()).toMatch(/&logical=cells&memory=tiles$/);
  const box = await playground.grid("logical").boundingBox();
  if (!box) throw new Error("no grid");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -60);
  await page.keyboard.up("Control");
  await page.mouse.wheel(3000, 5000);
  await expect
    .poll(() => page.url())
    .toMatch(/&logical=cells:[\d.]+x[\d.]+~[\d.]+,[\d.]+&memory=tiles$/);
  const here = await middleOf(page, "logical");
  // The same window, by reloading and by the link; a smaller one shows what is around the same place.
  const link = page.url();
  const other = await context.newPage();
  await other.goto(link);
  const number = (name: string, said: string): number =>
    Number(new RegExp(`${name} (\\d+)`).exec(said)?.[1]);
  const apart = (name: string, said: string): number =>
    Math.abs(number(name, said) - number(name, here));
  // A place is said to a hundredth of a cell, and the pointer may be on the edge of one.
  const again = await middleOf(other, "logical");
  expect(apart("row", again)).toBeLessThanOrEqual(1);
  expect(apart("column", again)).toBeLessThanOrEqual(1);
  expect(await other.evaluate(() => window.location.hash)).toContain(/&logical=.*/.exec(link)?.[0]);
  await other.setViewportSize({ width: 900, height: 700 });
  await other.reload();
  expect(apart("row", await middleOf(other, "logical"))).toBeLessThanOrEqual(1);
  await other.close();
  await playground.scale("memory", "Whole");
  await playground.scale("logical", "Whole");
  await expect.poll(() => page.url()).not.toMatch(/logical=|memory=/);
  await expect(text("memory")).toHaveText("Whole");
});

test("what a link says of the pictures is clamped, and is for the layout that it leads to", async ({
  playground,
  page,
}) => {
  const pressed = playground.foot("logical").locator("[aria-pressed=true]");
  for (const said of [
    "99",
    "cells:0x0~1",
    "cells:999x999~999999999999999,999999999999999",
    "tiles:0.01x999~5",
    "whole:0x0~999999999999999,0",
    "nonsense",
  ]) {
    await playground.open(
      `#shape=f32[4096,4096]{1,0:T(8,128)}&view=layout&logical=${said}&memory=${said}&after=${said}`,
    );
    await expect(page.locator(".spot-line")).toContainText("offset");
    await expect(pressed).toHaveCount(1);
    await page.goto("about:blank");
  }
  await playground.open("#shape=f32[4096,4096]{1,0:T(8,128)}&logical=bytes~100,200");
  await expect(pressed).toHaveText("Bytes");
  await page.locator("#layout-shape").click();
  await page.locator("#layout-shape").fill("f32[2048,4096]{1,0:T(8,128)}");
  await expect(page.locator(".pictures h2").first()).toContainText("2048");
  await expect(pressed).toHaveText("Whole");
  await expect.poll(() => page.url()).not.toContain("logical=");
});
