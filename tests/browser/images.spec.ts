/** Arrays as images, complex numbers by their parts, zeros, the bits of integers; all of it in the link. */
import { readFileSync } from "node:fs";
import { axeFaults, expect, test } from "./page";

const PROGRAM = `HloModule pictures
ENTRY main {
  x = u8[3,40,60] parameter(0)
  c = c64[16,16] parameter(1)
  i = s4[4,4] parameter(2)
  ROOT t = (u8[3,40,60], c64[16,16], s4[4,4]) tuple(x, c, i)
}
`;

/** Width and height of a .png file. */
function sizeOfPng(path: string): [number, number] {
  const bytes = readFileSync(path);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test("an array is looked at as an image, zoomed, moved in, saved, and shared as it is seen", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(PROGRAM);
  await page.getByRole("textbox", { name: "Value of x" }).fill("i1*6 + i0*40");
  await page.getByRole("textbox", { name: "Value of c" }).fill("exp(0.5i*i0)*i1");
  await page.getByRole("textbox", { name: "Value of i" }).fill("i0*4 + i1 - 8");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await playground.tab("Values").click();
  const row = (name: RegExp) => playground.values.getByRole("option", { name }).first();
  await row(/\bx\b/).click();
  const modes = page.getByRole("group", { name: "Show as" });
  await modes.getByRole("button", { name: "Image" }).click();

  // The dimension of three is that of the colours.
  const image = page.getByRole("application", { name: /Image of u8\[3,40,60\].*40 × 60 pixels/ });
  await expect(image).toBeVisible();
  await expect(page.getByLabel("colours")).toHaveValue("0");
  await page.getByLabel("Dark to bright").selectOption("0,255");
  await expect(page.getByText("red, green, blue")).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  // By keyboard: to a pixel, whose numbers are told, and nearer.
  await image.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "+"]) await page.keyboard.press(key);
  await expect(page.locator(".spot-line")).toContainText(
    /row 1, column 1, red 6, green 46, blue 86/,
  );
  await expect(page).toHaveURL(/zoom:\d/);

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save .png" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("x.png");
  expect(sizeOfPng(await file.path())).toEqual([60, 40]);

  // Grey, on a range of one's own; a link has all of that.
  await page.getByLabel("colours").selectOption("-1");
  await page.getByLabel("Dark to bright").selectOption("own");
  // An image comes after every key, and the field keeps the focus.
  await page.getByLabel("Bright from").fill("");
  await page.getByLabel("Bright from").pressSequentially("100", { delay: 400 });
  await expect(page.getByText("grey", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/range:0,100/);
  await page.reload();
  await expect(page.getByLabel("Bright from")).toHaveValue("100");
  await expect(page.getByLabel("colours")).toHaveValue("-1");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeFaults(page)).toEqual([]);
});

test("parts of complex numbers, zeros, and bits of small integers", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(PROGRAM);
  await page.getByRole("textbox", { name: "Value of c" }).fill("exp(0.5i*i0)*i1");
  await page.getByRole("textbox", { name: "Value of i" }).fill("i0*4 + i1 - 8");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await playground.tab("Values").click();
  const row = (name: RegExp) => playground.values.getByRole("option", { name }).first();
  const modes = page.getByRole("group", { name: "Show as" });

  await row(/\bc\b/).click();
  await modes.getByRole("button", { name: "Heat map" }).click();
  await page.getByLabel("Of complex numbers the").selectOption("phase");
  await expect(page.locator(".heat-ramp")).toContainText(/-3\.\d+\s*0\s*3\.\d+/);
  await modes.getByRole("button", { name: "Statistics" }).click();
  await page.getByLabel("Of complex numbers the").selectOption("imaginary");
  const table = page.getByRole("region", { name: "Statistics of the array" });
  await expect(table.getByRole("row", { name: /^minimum/ })).toContainText("-14.6");
  await expect(page).toHaveURL(/part:imaginary/);

  await modes.getByRole("button", { name: "Heat map" }).click();
  await page.getByLabel("A block shows its").selectOption("zeros");
  await page.getByLabel("Of complex numbers the").selectOption("magnitude");
  await expect(page.getByText("Zeros alone: 0 of 16 rows, 1 of 16 columns.")).toBeVisible();
  await page.getByLabel("for every").selectOption("column");
  expect(await axeFaults(page)).toEqual([]);

  // The bits of a complex number are those of its parts, which lie in memory.
  await modes.getByRole("button", { name: "Bits" }).click();
  await expect(page.getByRole("region", { name: "Real part" })).toContainText("sign");
  await expect(page.getByRole("region", { name: "Imaginary part" })).toContainText("f32");
  expect(await axeFaults(page)).toEqual([]);

  await row(/\bi\b/).click();
  await modes.getByRole("button", { name: "Grid" }).click();
  await playground.grid("value").focus();
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await modes.getByRole("button", { name: "Bits" }).click();
  await expect(page.locator(".bit-field.sign")).toContainText("1");
  await expect(page.getByText("the bits as unsigned")).toBeVisible();
  await expect(page.getByRole("list", { name: /^Byte \d/ }).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByRole("row", { name: /^u8/ })).toContainText("low bits");
  expect(await axeFaults(page)).toEqual([]);

  // Everything that can be done with a value is in one line.
  const tools = await page.locator(".detail-tools").boundingBox();
  expect(tools?.height).toBeLessThan(40);
});
