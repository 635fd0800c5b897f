import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./page";

const LOOP = `cond {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4] sine(x)
  ROOT t = (s32[], f32[4]) tuple(j, y)
}
ENTRY e {
  z = s32[] constant(0)
  x = f32[4] constant({1, 2, 3, 4})
  s = (s32[], f32[4]) tuple(z, x)
  w = (s32[], f32[4]) while(s), condition=cond, body=body
  ROOT r = f32[4] get-tuple-element(w), index=1
}
`;

test("goes forward and back through a loop, and to what it looks for", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await playground.write(LOOP);
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const last = page.locator(".debug-last");
  await expect(last).toContainText("Step 0 of 76");
  await page.getByRole("button", { name: "Step over" }).click();
  await expect(last).toContainText("z = 0");
  for (let i = 0; i < 3; i++) await page.keyboard.press("F10");
  await expect(last).toContainText("w = (5, {0.587181");
  await page.keyboard.press("Shift+F10");
  await expect(last).toContainText("Step 3 of 76");
  await page.getByRole("button", { name: "Step into" }).click();
  await expect(page.getByRole("region", { name: "Calls" })).toContainText("cond");

  // A condition on an element, and back to the one before.
  const condition = page.getByRole("textbox", { name: "Run to a condition" });
  await condition.fill("y[0] < 0.7");
  await condition.press("Enter");
  await expect(last).toContainText("[2] body/y = {0.678430438");
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByText("No step fulfils this")).toBeVisible();
  await condition.fill("no_such_name");
  await condition.press("Enter");
  await expect(page.getByText("there is no instruction 'no_such_name'")).toBeVisible();

  // The value stands at the end of its line in the text.
  await expect(page.locator(".cm-step-new")).toContainText("= {0.678430438");

  // A watch, with its course over the run.
  const watch = page.getByRole("textbox", { name: "Watch a value" });
  await watch.fill("y[0]");
  await watch.press("Enter");
  const watches = page.getByRole("region", { name: "Watches" });
  await expect(watches.locator("output")).toContainText("0.678430");
  await expect(watches.getByRole("img", { name: /y\[0\] over the run: from 0.58/ })).toBeVisible();

  // A breakpoint.
  await condition.fill("y and iteration 4");
  await page.getByRole("button", { name: "Add as breakpoint" }).click();
  await page.getByRole("button", { name: "On to the next breakpoint" }).click();
  await expect(last).toContainText("[4] body/y");

  const found = await new AxeBuilder({ page }).include(".debug-view").analyze();
  expect(found.violations).toEqual([]);
});

test("a link opens at its step", async ({ playground, page }) => {
  await playground.open("#ex=while-loop&view=debug&step=5");
  await expect(page.locator(".debug-last")).toContainText("Step 5 of");
});
