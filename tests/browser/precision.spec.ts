/** What a person does who wants to know where the error of a result comes from. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./page";

const NARROW = `HloModule m
ENTRY e {
  a = f32[] constant(1023.7)
  b = f32[] constant(1020.1)
  x = bf16[] convert(a)
  y = bf16[] convert(b)
  d = bf16[] subtract(x, y)
  ROOT r = bf16[] multiply(d, d)
}`;

test("a cancellation is found, looked at in the program, and repaired against what was", async ({
  playground,
  page,
}) => {
  await playground.begin(NARROW);
  await playground.tab("Precision").click();
  await page.getByRole("button", { name: "Compare with f64" }).click();
  const view = page.locator(".precision-view");
  await expect(view.locator(".precision-summary")).toContainText("16, expected 12.9602637");
  await view.locator(".precision-findings button", { hasText: /^d$/ }).click();
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("subtract(x, y)");
  await expect(view.locator(".precision-details")).toContainText("1024 and 1020 nearly cancel");
  // By another column, and by keyboard.
  const rows = page.getByRole("listbox", { name: /instructions differ/ });
  await view.getByRole("button", { name: "Max ulp" }).click();
  await expect(rows.getByRole("option").first()).toContainText("multiply");
  await rows.focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("multiply");
  await expect(page).toHaveURL(/errors=ulp/);
  // The next version is compared with this one.
  await view.getByRole("combobox").selectOption("other");
  await view.getByRole("button", { name: "Keep this version" }).click();
  await playground.write(NARROW.replace("multiply(d, d)", "add(d, d)"));
  await view.getByRole("button", { name: "Compare runs" }).click();
  await expect(view.locator(".precision-summary")).toContainText("8, expected 16");
  await page.reload();
  await expect(view.getByRole("combobox")).toHaveValue("other");
  await expect(view.locator(".precision-other")).toHaveText("earlier version");
  expect(playground.faults).toEqual([]);
});

test("a run that fails says where; one in exact numbers that nothing differs", async ({
  playground,
  page,
}) => {
  await playground.begin(`ENTRY e {
  ROOT c = f32[2] custom-call(), custom_call_target="none"
}`);
  await playground.tab("Precision").click();
  await page.getByRole("button", { name: "Compare with f64" }).click();
  const view = page.locator(".precision-view");
  await expect(view.getByRole("alert")).toContainText("this program: c:");
  await playground.write(
    "ENTRY e {\n  a = s32[2] constant({1, 2})\n  ROOT n = s32[2] negate(a)\n}",
  );
  await page.getByRole("button", { name: "Compare runs" }).click();
  await expect(view).toContainText("No value differs, of 2 instructions that ran.");
  expect(playground.faults).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the view is accessible, and narrow too (${scheme})`, async ({ playground, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.begin(NARROW);
    await playground.tab("Precision").click();
    await page.getByRole("button", { name: "Compare with f64" }).click();
    await page.locator(".precision-rows .virtual-row").first().click();
    await expect(page.locator(".precision-details")).toBeVisible();
    expect((await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });
}
