import { axeFaults, expect, test } from "./page";

const MODULE = `HloModule two
ENTRY main {
  x = f32[2,3] parameter(0)
  y = f32[2,3] constant({{10, 20, 30}, {40, 50, 60}})
  ROOT sum = f32[2,3] add(x, y)
}
`;

test("opens on an example that has run", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await expect(page.locator("#layout-shape")).toHaveValue("f32[3,5]{1,0:T(2,2)}");
  await expect(page.getByText("38 % of the memory is padding")).toBeVisible();
  await playground.tab("Values").click();
  await expect(playground.values.getByRole("option", { name: /output/ })).toContainText("f32[3,4]");
});

test("runs what is written, with the inputs that are given", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await playground.write(MODULE);
  await page.getByRole("textbox", { name: "Value of x" }).fill("{{1,2,3},{4,5,6}}");
  await playground.tab("Values").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  const sum = playground.values.getByRole("option", { name: /\bsum\b/ });
  await sum.click();
  await page.getByRole("button", { name: "Table" }).click();
  const table = page.getByRole("table");
  await expect(table.getByRole("row").nth(1)).toContainText(/11\s*22\s*33/);
  await expect(table.getByRole("row").nth(2)).toContainText(/44\s*55\s*66/);
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await expect(page.locator(".value-text")).toContainText("66");
});

test("says what took the time; the plan and the code lead to the program", async ({
  playground,
  page,
}) => {
  await playground.begin(
    "ENTRY e {\n  x = f32[64,64] parameter(0)\n  a = f32[64,64] add(x, x)\n  m = f32[64,64] multiply(a, x)\n  ROOT d = f32[64,64] dot(m, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
  );
  await playground.tab("Values").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  const parts = page.locator(".run-plan");
  await parts.locator("summary").focus();
  await page.keyboard.press("Enter");
  const rows = parts.getByRole("row");
  await expect(rows.filter({ hasText: "loop of 2 instructions" })).toContainText("block program");
  await expect(rows.filter({ hasText: "dot" })).toContainText("operation");
  expect(await axeFaults(page)).toEqual([]);
  await parts.getByRole("button", { name: "Show the plan" }).click();
  const made = page.locator(".dialect-text");
  await expect(made).toContainText("loop over 4096 elements: a, m");
  const marked = page.locator(".left .cm-linked");
  await made.locator(".cm-line", { hasText: "loop over" }).hover();
  await expect(marked).toHaveCount(2);
  await page.getByRole("button", { name: "Generated code", exact: true }).click();
  // Lines are made when they come into sight.
  const multiplies = made.locator(".cm-line", { hasText: ";; m = multiply" }).first();
  await made.locator(".cm-line", { hasText: "(module" }).hover();
  await expect(async () => {
    await page.mouse.wheel(0, 300);
    await expect(multiplies).toBeVisible({ timeout: 500 });
  }).toPass();
  await multiplies.hover();
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText("multiply");
  expect(await axeFaults(page)).toEqual([]);
  await expect.poll(() => page.url()).toContain("text=code");
});

test("either part of a run is turned off by a setting, which is kept", async ({
  playground,
  page,
}) => {
  await playground.begin(MODULE);
  await playground.tab("Values").click();
  await playground.settings();
  await page.getByRole("checkbox", { name: "Record values" }).uncheck();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.status).toContainText("no values recorded");
  await expect(playground.values.getByRole("option")).toHaveText([/output/]);
  // One of the two stays on.
  await playground.settings();
  await page.getByRole("checkbox", { name: "Run compiled" }).uncheck();
  await expect(page.getByRole("checkbox", { name: "Record values" })).toBeChecked();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values.getByRole("option", { name: /\bsum\b/ })).toBeVisible();
  await expect(page.locator(".run-plan")).toHaveCount(0);
  await page.waitForTimeout(1000);
  await page.reload();
  await playground.settings();
  await expect(page.getByRole("checkbox", { name: "Run compiled" })).not.toBeChecked();
});

test("devices get values of their own, which a link keeps", async ({ playground, page }) => {
  await playground.begin(`HloModule shared, replica_count=2
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  ROOT sum = f32[2] all-reduce(x), replica_groups={}, to_apply=add
}
`);
  await page.getByRole("button", { name: "Values of x on single devices" }).click();
  await page.getByRole("textbox", { name: "Value of x" }).fill("{1, 2}");
  await page.getByRole("textbox", { name: "Replica 1, partition 0" }).fill("{30, 40}");
  await expect(page.getByRole("textbox", { name: "Value of x" })).toHaveValue("{1, 2}");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  const sum = playground.values.getByRole("option", { name: /\bsum\b/ }).first();
  await expect(sum).toContainText("31");
  await expect(sum).toContainText("42");
  await expect.poll(() => decodeURIComponent(page.url())).toContain("#");
  await page.reload();
  await expect(page.getByRole("button", { name: "Values of x on single devices" })).toHaveText(
    "Per device (1)",
  );
});

test("every value of every iteration of a loop is there", async ({ playground, page }) => {
  await playground.open("#ex=while-loop");
  await playground.ran();
  const row = playground.values.getByRole("option", { name: /\bbetter\b/ });
  await page.getByRole("searchbox").fill("better");
  // One iteration at a time: the last one first, and a slider for the others.
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("1.41421");
  const slider = page.getByRole("slider", { name: /Iteration of / });
  const seen = new Set<string>();
  await slider.focus();
  await page.keyboard.press("Home");
  for (let i = 0; i < 6; i++) {
    await expect(slider).toHaveAttribute("aria-valuetext", new RegExp(`^iteration ${i} \\(`));
    await expect(row).toHaveCount(1);
    seen.add((await row.textContent()) ?? "");
    await page.keyboard.press("ArrowRight");
  }
  expect(seen.size).toBeGreaterThan(3);
  // The slider takes the value that is looked at along.
  await page.keyboard.press("Home");
  await row.click();
  await expect.poll(() => page.url()).toMatch(/at=0/);
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).toMatch(/at=1/);
});

test("every device has its output and its values", async ({ playground, page }) => {
  await playground.open("#ex=all-reduce");
  await playground.ran();
  await playground.tab("Values").click();
  const outputs = playground.values.getByRole("option", { name: /device \d: output/ });
  await expect(outputs).toHaveCount(4);
  const mine = playground.values.getByRole("option", { name: /\bmine\b/ });
  await expect(mine).toContainText("0");
  await page.getByRole("combobox", { name: "Device" }).selectOption("3");
  await expect(mine).toContainText("3");
  await outputs.last().click();
  await expect(page.locator(".value-detail, .value-text, [role=grid]").first()).toBeVisible();
});

test("runs StableHLO text that is pasted", async ({ playground, page }) => {
  await playground.open();
  await playground.write(
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %two = stablehlo.constant dense<2.0> : tensor<2xf32>\n  %y = stablehlo.multiply %x, %two : tensor<2xf32>\n  return %y : tensor<2xf32>\n}\n",
  );
  await expect(playground.status).toContainText("StableHLO");
  await page.getByRole("textbox", { name: "Value of x" }).fill("{3,4}");
  await playground.tab("Values").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values.getByRole("option", { name: /\by\b/ })).toContainText("{6, 8}");
});

test("saves a value as .npy and reads it back", async ({ playground, page }) => {
  await playground.open();
  await playground.write(MODULE);
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await playground.values.getByRole("option", { name: /\by\b/ }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save .npy" }).click();
  const path = await (await saving).path();
  await page.locator(".file-button input").first().setInputFiles(path);
  // Reading a file takes a moment; a person sees when it is there.
  await expect(page.getByRole("button", { name: "Remove the file" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.values.getByRole("option", { name: /\bsum\b/ }).click();
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await expect(page.locator(".value-text")).toContainText("120");
});

test("a loop without end is cancelled at once; text and values stay", async ({
  playground,
  page,
}) => {
  const loop = (goes: boolean) =>
    `always {\n c = s32[] parameter(0)\n ROOT t = pred[] constant(${goes})\n}\nbody {\n ROOT c = s32[] parameter(0)\n}\nENTRY main {\n s = s32[] constant(0)\n ROOT never = s32[] while(s), condition=always, body=body\n}\n`;
  await playground.begin(loop(false));
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  const first = playground.values.getByRole("option").first();
  const count = await first.getAttribute("aria-setsize");
  await playground.write(loop(true));
  await page.keyboard.press("ControlOrMeta+Enter");
  const cancel = page.getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  await page.waitForTimeout(300);
  await page.keyboard.press("Escape");
  await expect(page.locator(".stale")).toContainText("cancelled");
  expect(await playground.text()).toContain("ROOT never");
  expect(await first.getAttribute("aria-setsize")).toBe(count);
  // The next run has a fresh worker.
  await playground.write(MODULE);
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
});

test("the time limit ends what nobody cancels", async ({ playground, page }) => {
  await playground.open("#ex=endless");
  // The example's text is fetched and runs by itself; before that there is nothing to cancel.
  await expect.poll(() => playground.text()).toContain("ROOT never");
  const cancel = page.getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(cancel).toBeHidden();
  await playground.settings();
  const limit = page.getByRole("spinbutton", { name: "Time limit (s)" });
  await limit.fill("0.5");
  await limit.press("Tab");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".run-faults")).toContainText(/time/i);
  await expect(page.locator(".run-faults")).toContainText("The run stopped");
  await expect(playground.status).toContainText("The run stopped");
});

test("elided constants are filled, which is said; the choice, also to refuse, is kept", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await playground.write("ENTRY e { ROOT c = f32[4] constant({...}) }");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".assumed")).toContainText("1 constant written {...} is filled here");
  await playground.settings();
  await page.getByLabel("Fill {...} with").selectOption("");
  await page.keyboard.press("ControlOrMeta+Enter");
  // The same words wherever it is said.
  await expect(playground.status).toContainText("The program was not run");
  await expect(page.locator(".run-faults")).toContainText("The program was not run");
  await page.getByRole("button", { name: "Fill {...} with random numbers" }).click();
  await playground.ran();
  await playground.settings();
  await page.getByLabel("Fill {...} with").selectOption("iota");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await playground.tab("Values").click();
  await expect(playground.values).toContainText("{0, 1, 2, 3}");
  await page.waitForTimeout(1000);
  await page.reload();
  await playground.settings();
  await expect(page.getByLabel("Fill {...} with")).toHaveValue("iota");
});

test("after another program nothing of the one before is left", async ({ playground, page }) => {
  await playground.begin(MODULE);
  await page.getByRole("textbox", { name: "Value of x" }).fill("hello");
  await page.keyboard.press("ControlOrMeta+Enter");
  // The fault is in front, with its line, and in the editor.
  await expect(page.locator(".run-faults")).toContainText("Line 3:");
  await expect(page.locator(".left .cm-lintRange-error")).toHaveCount(1);
  await expect(playground.status).toContainText("1 input is not understood");
  await page.getByRole("textbox", { name: "Value of x" }).fill("iota");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await expect(page.locator(".left .cm-lintRange-error")).toHaveCount(0);
  await expect(playground.status).toContainText("No problems");
  await expect(playground.values).toContainText("{{10, 21, 32}, {43, 54, 65}}");
  await playground.write(
    "HloModule other\nENTRY elsewhere {\n  x = f32[7] parameter(0)\n  ROOT r = f32[7] exponential(x)\n}\n",
  );
  await expect(page.getByText("Run the program to see the value")).toBeVisible();
  await expect(playground.status).not.toContainText("Ran");
  await expect(page.getByRole("textbox", { name: "Value of x" })).toHaveValue("");
});

test("problems are listed with their lines, and nothing covers the page", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY e {\n  a = f32[2] parameter(0)\n  ROOT b = f32[3] negate(a)\n}\n");
  await playground.status.getByRole("button", { name: "1 error" }).click();
  const list = page.getByRole("dialog", { name: "Problems" });
  await expect(list).toContainText("Line 3:");
  await list.getByRole("button", { name: /Line 3/ }).click();
  await expect(list).toBeHidden();
  await expect(page.locator(".cm-activeLine").first()).toContainText("ROOT b");
  // The tooltip of F8 goes with Escape, and when the person goes elsewhere.
  const tooltip = page.locator(".left .cm-tooltip");
  await page.keyboard.press("F8");
  await expect(tooltip).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tooltip).toHaveCount(0);
  await page.keyboard.press("F8");
  await expect(tooltip).toBeVisible();
  await playground.tab("Outline").click();
  await expect(tooltip).toHaveCount(0);
});

test("a run leaves the view open that a person has chosen, and marks the values until they are seen", async ({
  playground,
  page,
}) => {
  await playground.begin(MODULE);
  const values = playground.tab("Values");
  const mark = page.getByRole("tab", { name: "new values" });
  const isOpen = (name: string) =>
    expect(playground.tab(name)).toHaveAttribute("aria-selected", "true");
  for (const name of ["Graph", "Memory"]) {
    await playground.tab(name).click();
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(mark).toBeInViewport();
    await isOpen(name);
  }
  expect(await axeFaults(page, ".tab-row")).toEqual([]);
  await values.click();
  await expect(mark).toHaveCount(0);
  // By keyboard, and where the tab of the values would be out of sight.
  await playground.command("Show Compare");
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.tab("Program").click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(mark).toBeInViewport();
  await isOpen("Compare");
  await page.setViewportSize({ width: 1440, height: 900 });
  // What went wrong is shown all the same.
  await playground.write(MODULE.replace("ROOT", "ROOT ="));
  await page.keyboard.press("ControlOrMeta+Enter");
  await isOpen("Values");
  await expect(page.locator(".views .run-faults")).toBeVisible();
});

test("a run tells how long it takes, in front", async ({ playground, page }) => {
  await playground.open("#ex=endless");
  await expect.poll(() => playground.text()).toContain("ROOT never");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".running")).toContainText(/Running for [1-9]\d*\.\d s/);
  await page.keyboard.press("Escape");
  await expect(page.locator(".running")).toHaveCount(0);
});

test("the settings of a run are in one place, which says what is not as usual; a link has them", async ({
  playground,
  page,
}) => {
  await playground.begin(MODULE);
  const button = page.getByRole("button", { name: /^Settings/ });
  await expect(button).toHaveText("Settings");
  await button.focus();
  await page.keyboard.press("Enter");
  const seed = page.getByRole("spinbutton", { name: "Seed" });
  await expect(seed).toBeFocused();
  await seed.fill("7");
  const replicas = page.getByRole("spinbutton", { name: "Replicas" });
  await replicas.fill("4");
  await replicas.press("Tab");
  const time = page.getByRole("spinbutton", { name: "Time limit" });
  await time.fill("-3");
  await time.press("Tab");
  await expect(time).toHaveAccessibleDescription("A number from 0.1 to 3600; it is still 10.");
  await page.getByRole("spinbutton", { name: "Step limit" }).fill("1");
  expect(await axeFaults(page)).toEqual([]);
  await time.fill("10");
  await time.press("Tab");
  await expect(time).toHaveAttribute("aria-invalid", "false");
  await page.getByRole("spinbutton", { name: "Step limit" }).focus();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await expect(button).toContainText("Seed 7 +2");
  for (const width of [1441, 1261, 1101, 821]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("button", { name: "Help" })).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".run-faults")).toContainText(/step|instruction/i);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(button).toContainText("3");
  await button.click();
  await expect(replicas).toHaveValue("4");
  await expect(replicas).toBeInViewport();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Restore the defaults" }).click();
  await expect(replicas).toHaveValue("0");
  await page.keyboard.press("Escape");
  await expect(button).toHaveText("Settings");
});
