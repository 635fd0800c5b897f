/** A value as a whole: where its numbers are, which are no numbers, and what one is made of. */
import { axeFaults, expect, test } from "./page";

const PROGRAM = `HloModule whole
ENTRY main {
  r = f32[1024,2048] iota(), iota_dimension=0
  c = f32[1024,2048] iota(), iota_dimension=1
  s = f32[1024,2048] subtract(r, c)
  ROOT root = f32[1024,2048] sqrt(s)
}
`;

test("a matrix as a picture, its numbers as plots, one of them as bits", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await playground.tab("Values").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.values.getByRole("option", { name: /\bs\b/ }).first().click();
  const modes = page.getByRole("group", { name: "Show as" });

  // Two million elements are one picture with one scale; around 0, for there are both signs.
  await modes.getByRole("button", { name: "Heat map" }).click();
  const map = page.getByRole("application", { name: /Heat map of f32\[1024,2048\]/ });
  await expect(map).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Colours" })).toHaveValue("diverging");
  await expect(page.locator(".heat-ramp")).toContainText(/-2047\s*0\s*2047/);
  await expect(page.getByText("A block is 4 × 8 elements")).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  // By keyboard to a block; the element it begins with is then selected everywhere.
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(".spot-line")).toContainText("rows 4 to 7, columns 8 to 15");
  await modes.getByRole("button", { name: "Bits" }).click();
  await expect(page.getByText("Element (4, 8) = -4")).toBeVisible();
  await expect(page.locator(".bit-field.exponent")).toContainText("10000001");
  await expect(page.getByRole("row", { name: /^bf16/ })).toContainText("exact");
  expect(await axeFaults(page)).toEqual([]);

  await modes.getByRole("button", { name: "Line" }).click();
  await expect(
    page.getByRole("img", { name: /Line plot of \(4, :\), between -2043 and 4/ }),
  ).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await modes.getByRole("button", { name: "Histogram" }).click();
  await expect(page.getByRole("img", { name: /100 bins from -2047 to 1023/ })).toBeVisible();

  // The root has a NaN wherever the difference is negative.
  await playground.values
    .getByRole("option", { name: /\broot\b/ })
    .first()
    .click();
  await modes.getByRole("button", { name: "Statistics" }).click();
  const table = page.getByRole("region", { name: "Statistics of the array" });
  await expect(table.getByRole("row", { name: /^NaN/ })).toContainText("1,572,352");
  await expect(table.getByRole("row", { name: /^median/ })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  // The link opens what is on the screen.
  await expect(page).toHaveURL(/as=statistics/);
  await page.reload();
  await expect(table.getByRole("row", { name: /^NaN/ })).toContainText("1,572,352");
});

test("the keys that copy take the selected element of a value", async ({
  playground,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.begin("ENTRY e { ROOT c = f32[2,3] constant({{1,2,3},{4,5.25,6}}) }");
  await playground.tab("Values").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  const grid = playground.grid("value");
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await expect.poll(() => playground.spoken("value")).toContain("value 5.25");
  await page.keyboard.press("ControlOrMeta+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("5.25");
});
