import { writeLink } from "../../web/src/app/link";
import { axeFaults, expect, test } from "./page";

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
  const left = async () => (await page.locator(".left .cm-line").first().boundingBox())?.x;
  const before = await left();
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const last = page.locator(".debug-last");
  await expect(last).toContainText("Step 0 of 76");
  // Room for breakpoints moves no text.
  await expect(page.locator(".cm-breakpoints")).toBeAttached();
  expect(await left()).toBe(before);
  await page.getByRole("button", { name: "Step over" }).click();
  await expect(last).toContainText("z = 0");
  for (let i = 0; i < 3; i++) await page.keyboard.press("F10");
  await expect(last).toContainText("w = (5, {0.587181");
  await page.keyboard.press("Shift+F10");
  await expect(last).toContainText("Step 3 of 76");
  await page.getByRole("button", { name: "Step into" }).click();
  await expect(page.getByRole("region", { name: "Calls" })).toContainText("cond");

  // A condition on an element, and back to the one before.
  const condition = page.getByRole("combobox", { name: "Run to a condition" });
  await condition.fill("y[0] < 0.7");
  await condition.press("Enter");
  await expect(last).toContainText("[2] body/y = {0.678430438");
  await page.getByRole("button", { name: "Previous" }).click();
  const none = page.getByText("No earlier step fulfils: y[0] < 0.7");
  await expect(none).toBeVisible();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await expect(none).toBeHidden();
  await page.getByRole("button", { name: "Step into" }).click();
  await condition.fill("no_such_name");
  await condition.press("Enter");
  await expect(page.getByText("there is no instruction 'no_such_name'")).toBeVisible();

  // The value stands at the end of its line in the text.
  await expect(page.locator(".cm-step-new")).toContainText("= {0.678430438");

  // What is wrong with a condition is said while it is written, and how it may go on.
  await condition.fill("y > 1");
  await expect(page.getByText("one number is compared: an element like")).toBeVisible();
  await expect(condition).toHaveAttribute("aria-invalid", "true");
  await condition.fill("y[0] cr");
  await expect(page.locator('#debug-until-list option[value="y[0] crosses "]')).toBeAttached();
  await condition.fill("y[0] crosses 0.7");
  await expect(condition).toHaveAttribute("aria-invalid", "false");
  await page.getByRole("button", { name: "To the start" }).click();
  await expect(last).toContainText("Step 0 of");
  await condition.press("Enter");
  await expect(last).toContainText("[2] body/y = {0.678430438");

  // A watch, with its course over the run.
  const watch = page.getByRole("textbox", { name: "Watch a value" });
  await watch.fill("y[0]");
  await watch.press("Enter");
  const watches = page.getByRole("region", { name: "Watches" });
  await expect(watches.locator("output")).toContainText("0.678430");
  await expect(watches.getByRole("img", { name: /y\[0\] over the run: from 0.58/ })).toBeVisible();

  // Of a slice there is a line for each element; a watch says what it was before.
  await watch.fill("y[1:3]");
  await watch.press("Enter");
  await expect(watches.getByRole("img", { name: /y\[1:3\] over the run/ })).toBeVisible();
  await condition.fill("y changes");
  await condition.press("Enter");
  await expect(last).toContainText("[3] body/y");
  await expect(watches.getByText("was 0.678430438").first()).toBeVisible();

  // In the text, what is as it was at the last stop is not marked.
  await page.keyboard.press("F10");
  await expect(last).toContainText("[3] body/t");
  await expect(page.locator(".cm-step-changed")).toHaveCount(1);
  await page.keyboard.press("Shift+F10");
  await expect(last).toContainText("[3] body/y");

  // All of the value at this step, as the values of a run are shown.
  await watches.getByRole("button", { name: "Show all of y[0]" }).click();
  const shown = page.getByRole("region", { name: "y at this step" });
  await shown.getByRole("button", { name: "Table" }).click();
  await expect(shown.getByRole("table")).toContainText("0.6275");
  await shown.getByRole("button", { name: "Statistics" }).click();
  await expect(shown).toContainText("standard deviation");

  // A breakpoint.
  await condition.fill("y and iteration 4");
  await page.getByRole("button", { name: "Add as breakpoint" }).click();
  await page.getByRole("button", { name: "On to the next breakpoint" }).click();
  await expect(last).toContainText("[4] body/y");

  expect(await axeFaults(page, ".debug-view")).toEqual([]);
});

test("without a program there is nothing to start, which is said", async ({ playground, page }) => {
  await playground.begin(LOOP);
  await playground.tab("Debug").click();
  await expect(page.getByRole("button", { name: "Start", exact: true })).toBeVisible();
  await playground.write(" ");
  const view = page.getByRole("tabpanel", { name: "Debug" });
  await expect(view).toContainText("There is no program to debug yet.");
  await expect(view.getByRole("button", { name: "Start" })).toHaveCount(0);
  await view.getByRole("button", { name: "Open an example" }).click();
  await expect(page.getByRole("dialog", { name: "Examples" })).toBeVisible();
});

test("a link opens at its step", async ({ playground, page }) => {
  await playground.open("#ex=while-loop&view=debug&step=5");
  await expect(page.locator(".debug-last")).toContainText("Step 5 of");
});

test("follows a run by the keyboard alone: breakpoint, on, back; a link opens at that step", async ({
  playground,
  page,
  context,
}) => {
  await playground.begin(LOOP);
  await page.keyboard.press("ControlOrMeta+Home");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("F9");
  await expect(page.locator(".cm-breakpoint").last()).toBeVisible();
  // Records, since nothing is recorded yet, and stops where the line is executed first.
  await page.keyboard.press("Control+F9");
  const last = page.locator(".debug-last");
  await expect(last).toContainText("[0] body/y = {0.84147");
  await page.keyboard.press("Control+F9");
  await expect(last).toContainText("[1] body/y");
  await page.keyboard.press("Shift+F10");
  await expect(last).toContainText("[1] body/j = 2");
  const where = (await last.textContent()) ?? "";

  // By Tab to a watch, and to all of its value.
  await page.getByRole("textbox", { name: "Watch a value" }).focus();
  await page.keyboard.type("max body/y");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Watches" }).locator("output")).toContainText(
    "0.909297",
  );
  await page.keyboard.press("Control+s");
  await expect.poll(() => page.url()).toMatch(/step=.*watch=/);
  const link = page.url();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator(".debug-last")).toContainText("[1] body/j = 2");
  expect(where).toContain((await other.locator(".debug-last strong").textContent()) ?? "-");
  await expect(other.locator(".cm-breakpoint").last()).toBeVisible();
  await expect(other.getByRole("region", { name: "Watches" })).toContainText("max body/y");
  await other.close();
});

test("compares with a run that was kept, from before an edit", async ({ playground, page }) => {
  await playground.begin(LOOP);
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Keep this run to compare with" }).click();
  await playground.write(LOOP.replace("y = f32[4] sine(x)", "y = f32[4] tanh(x)"));
  await page.getByRole("button", { name: "Record again" }).click();
  await page.getByRole("button", { name: "First difference" }).click();
  await expect(page.locator(".debug-last")).toContainText("[0] body/y = {0.76159");
});

const DEVICES = `HloModule m, replica_count=3
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
twice { a = f32[] parameter(0)  ROOT c = f32[] add(a, a) }
ENTRY e {
  id = u32[] replica-id()
  x = f32[] convert(id)
  t = f32[] call(x), to_apply=twice
  sum = f32[] all-reduce(t), replica_groups={{0,1,2}}, to_apply=add
  ROOT y = f32[] add(sum, x)
}
`;

test("every device has a band, and a click on it follows that device", async ({
  playground,
  page,
}) => {
  await playground.begin(DEVICES);
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const bands = page.getByRole("img", { name: /^Calls and iterations of loops.*device \d$/ });
  await expect(bands).toHaveCount(3);
  await page.getByRole("img", { name: /device 2$/ }).click();
  await expect(page.getByRole("button", { name: "Follow device 2" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByRole("button", { name: "Step over" }).click();
  await expect(page.locator(".debug-last")).toContainText("device 2: id = 2");
  await page.reload();
  await expect(page.locator(".debug-last")).toContainText("device 2: id = 2");
  await expect(page.getByRole("button", { name: "Follow device 2" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("a link that asks for more than the usual limits names its step, but does not run by itself", async ({
  playground,
  page,
}) => {
  const src = "ENTRY e {\n  a = f32[] constant(1)\n  ROOT b = f32[] negate(a)\n}";
  await playground.open(
    await writeLink({
      program: { src, timeLimit: 3600 },
      params: { view: "debug", step: "1" },
    }),
  );
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.locator(".debug-last")).toContainText("Step 1 of");
  await playground.open(
    await writeLink({
      program: { src, timeLimit: 3600 },
      params: { view: "precision", compared: "1" },
    }),
  );
  await expect(page.getByRole("button", { name: "Compare with f64" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing in the debugger: ${colorScheme}, ${width} wide`, async ({
      playground,
      page,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await playground.open("#ex=while-loop&view=debug&step=12&watch=max%20w&break=line%203");
      await expect(page.locator(".debug-last")).toContainText("Step 12 of");
      await page.getByRole("combobox", { name: "Run to a condition" }).fill("nothing > 3");
      await expect(page.locator("#debug-until-fault")).toBeVisible();
      await page.locator(".debug-last").getByRole("button").click();
      expect(await axeFaults(page)).toEqual([]);
    });
  }
}

test("what was recorded before it was stopped stays, and the recording can go on", async ({
  playground,
  page,
}) => {
  // A loop that does not end within a minute.
  await playground.begin(LOOP.replace("constant(5)", "constant(2000000000)"));
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const last = page.locator(".debug-last");
  const stop = async () => {
    await expect(page.getByText(/Recording: [1-9][\d,]* steps/)).toBeVisible();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(last).toContainText(/Step [\d,]+ of/);
    return Number(/of ([\d,]+)/.exec(await last.innerText())?.[1]?.replaceAll(",", ""));
  };
  const first = await stop();
  expect(first).toBeGreaterThan(100);
  await expect(page.getByText("The recording was stopped: the run goes on")).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(last).toContainText(`Step ${first.toLocaleString("en-US")} of`);
  await page.getByRole("button", { name: "Go on recording" }).click();
  expect(await stop()).toBeGreaterThan(first);
  await expect(last).toContainText(`Step ${first.toLocaleString("en-US")} of`);
});
