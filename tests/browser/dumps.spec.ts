/** What a compiler writes is run, made smaller, taken apart and read. */
import { expect, test } from "./page";

test("a program beyond the limit says so once, and is made smaller by a button", async ({
  playground,
  page,
}) => {
  await playground.begin(`ENTRY main {
  x = f32[65536,65536]{1,0} parameter(0)
  y = f32[65536,65536]{1,0} parameter(1)
  s = f32[65536,65536]{1,0} add(x, y)
  r = f32[4294967296]{0} reshape(s)
  ROOT n = f32[4294967296]{0} negate(r)
}`);
  await page.keyboard.press("ControlOrMeta+Enter");
  const faults = page.locator(".run-faults");
  await expect(faults).toContainText(/needs .*GiB/);
  expect((await faults.innerText()).match(/GiB/g)?.length ?? 0).toBeLessThan(8);
  await expect(faults).toContainText("limit");
  await expect(faults).toContainText("The program was not run");
  await faults.getByRole("button", { name: "Shrink the arrays" }).click();
  await playground.ran();
  await expect(faults).toHaveCount(0);
  const text = await playground.text();
  expect(text).not.toContain("65536");
  // What must stay equal does.
  const [, rows, columns] = /f32\[(\d+),(\d+)\]/.exec(text) ?? [];
  expect(text).toContain(`f32[${Number(rows) * Number(columns)}]{0} reshape`);
  await page.locator(".notices").getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => playground.text()).toContain("x = f32[65536,65536]{1,0} parameter(0)");
});

test("an instruction becomes a program of its own, with the values that it had", async ({
  playground,
  page,
}) => {
  await playground.begin(`ENTRY main {
  a = f32[3]{0} constant({1, 2, 3})
  b = f32[3]{0} multiply(a, a)
  ROOT c = f32[3]{0} subtract(b, a)
}`);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values).toContainText("{0, 2, 6}");
  await page.locator(".left .cm-line", { hasText: "subtract" }).click();
  await playground.command("Isolate the selected instructions");
  await expect(playground.editor).toContainText("parameter(1)");
  await expect(playground.editor).not.toContainText("multiply");
  await expect(playground.values).toContainText("{0, 2, 6}");
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(playground.editor).toContainText("multiply");
  await page.locator(".left .cm-line", { hasText: "multiply" }).click();
  await playground.command("Isolate them with all");
  await expect(playground.editor).not.toContainText("subtract");
  await expect(playground.editor).toContainText("constant({1, 2, 3})");
  await expect(playground.values).toContainText("{1, 4, 9}");
});

test("names are shown as they are written, and the entry first if one likes", async ({
  playground,
  page,
}) => {
  const bodies = Array.from(
    { length: 60 },
    (_, i) => `comp.${i} {\n  ROOT p = f32[] parameter(0)\n}\n`,
  ).join("\n");
  const dump = `HloModule dump\n\n${bodies}\nENTRY main {\n  a = f32[2] constant({1, 2})\n  ROOT %b.1 = f32[2] negate(a)\n}\n`;
  await playground.begin(dump);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values.getByRole("option", { name: /^a\b/ })).toBeVisible();
  await expect(playground.values).not.toContainText("%a");
  await playground.command("Start at the entry computation");
  await playground.write(dump.replace("negate", "abs"));
  await page.keyboard.press("ControlOrMeta+Home");
  await page.reload();
  await expect(page.locator(".left .cm-line", { hasText: "ENTRY main" })).toBeInViewport();
});
