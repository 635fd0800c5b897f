/** What a person does who wants to know where the error of a result comes from. */
import { axeFaults, expect, openSettings, test } from "./page";

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
  // The names of numbers end where the numbers end.
  const ends = (parts: string) =>
    view.locator(parts).evaluateAll((all) =>
      all.map((part) => {
        const text = document.createRange();
        const nodes = [...part.childNodes].filter(({ nodeType }) => nodeType === 3);
        text.selectNode(nodes.at(-1) ?? part);
        return text.getBoundingClientRect().right;
      }),
    );
  const names = await ends(".precision-column:is(.error, .ulp, .relative, .grows, .times)");
  const numbers = await ends(".precision-rows .virtual-row:first-child .precision-number");
  expect(names).toHaveLength(5);
  for (const [i, end] of names.entries()) {
    expect(Math.abs(end - (numbers[i] ?? 0))).toBeLessThan(3);
  }
  // All columns are in sight.
  await page.setViewportSize({ width: 1280, height: 800 });
  const table = view.locator(".precision-table");
  expect(await table.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
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
  // Of the result it is said once.
  await expect(view).toContainText("Result: no element differs.");
  await expect(view.getByText(/no element/i)).toHaveCount(1);
  expect(playground.faults).toEqual([]);
});

const SUM = `cond {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(40)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  sum = bf16[] get-tuple-element(s), index=1
  step = bf16[] constant(1.01)
  more = bf16[] add(sum, step)
  ROOT t = (s32[], bf16[]) tuple(next, more)
}
ENTRY e {
  z = s32[] constant(0)
  p = bf16[] parameter(0)
  t = (s32[], bf16[]) tuple(z, p)
  ROOT w = (s32[], bf16[]) while(t), condition=cond, body=body
}`;

test("a sum is held against the right one, run from elsewhere, and its error followed along the run", async ({
  playground,
  page,
}) => {
  await playground.begin(SUM);
  await playground.tab("Precision").click();
  const view = page.locator(".precision-view");
  const against = view.getByRole("combobox", { name: "Compare with" });

  // Against the right result, which is written for one element of the tuple.
  await against.selectOption("expected");
  await expect(view).toContainText("Say what the result should be");
  await view.getByRole("textbox", { name: "Element" }).fill("1");
  await view.getByRole("textbox", { name: "Expected" }).fill("40.9");
  await view.getByRole("button", { name: "Compare runs" }).click();
  const worst = view.getByRole("table", { name: "Worst elements: Result {1}" });
  await expect(worst).toContainText("40.9");
  await expect(worst.getByRole("columnheader").last()).toHaveText("Relative");
  // Or as a file, which is chosen.
  const file = Buffer.alloc(128 + 8);
  file.write("\u0093NUMPY\u0001\u0000\u0076\u0000", "latin1");
  file.write(
    `${"{'descr': '<f8', 'fortran_order': False, 'shape': (), }".padEnd(117)}\n`,
    10,
    "latin1",
  );
  file.writeDoubleLE(40.6875, 128);
  await view
    .getByLabel("Choose an .npy file with the expected result")
    .setInputFiles({ name: "right.npy", mimeType: "", buffer: file });
  await expect(view).toContainText("right.npy");
  await view.getByRole("button", { name: "Compare runs" }).click();
  await expect(worst).toContainText("40.6875");
  await view.getByRole("button", { name: "Remove right.npy" }).click();
  await expect(view.getByRole("textbox", { name: "Expected" })).toHaveValue("40.9");

  // The same program from another start.
  await against.selectOption("inputs");
  await expect(view.getByRole("button", { name: "Compare runs" })).toBeDisabled();
  await view.getByRole("textbox", { name: /^p / }).fill("100");
  await view.getByRole("button", { name: "Compare runs" }).click();
  await expect(view.locator(".precision-summary")).toContainText("expected 14");
  // Whoever opens the link sees the same.
  await page.reload();
  await expect(view.locator(".precision-summary")).toContainText("expected 14");
  await expect(view.getByRole("textbox", { name: /^p / })).toHaveValue("100");
  await against.selectOption("expected");
  await expect(view.getByRole("textbox", { name: "Expected" })).toHaveValue("40.9");

  // Where its error grows, by keyboard.
  await against.selectOption("f64");
  await view.getByRole("button", { name: "Compare runs" }).click();
  const slider = view.getByRole("slider", { name: /along the run/ });
  await expect(view.locator(".precision-point")).toContainText("iteration");
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(view.locator(".precision-point")).toContainText("value 1 of");
  await page.keyboard.press("ArrowRight");
  await expect(view.locator(".precision-point")).toContainText("value 2 of");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("while(t)");
  // And by a click into the picture.
  const picture = view.locator(".precision-plot svg");
  await picture.scrollIntoViewIfNeeded();
  await picture.click({ position: { x: 200, y: 60 } });
  await expect(view.locator(".precision-point")).toContainText(/iteration \d/);
  await expect(page).toHaveURL(/[&#]in=|v=/);
  expect(await axeFaults(page)).toEqual([]);
  expect(playground.faults).toEqual([]);
});

test("products are computed as hardware does, by a setting that links keep", async ({
  playground,
  page,
}) => {
  await playground.begin(`ENTRY e {
  p = f32[2] constant({1.001, 1})
  ROOT d = f32[] dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}`);
  await openSettings(page);
  await page.getByRole("combobox", { name: "Products of f32" }).selectOption("bf16");
  await page.getByRole("combobox", { name: "Multiply-add" }).selectOption("fused");
  await page.keyboard.press("Escape");
  await playground.tab("Precision").click();
  await page.getByRole("button", { name: "Compare with f64" }).click();
  const view = page.locator(".precision-view");
  await expect(view.locator(".precision-summary")).toContainText("2, expected 2.002");
  await expect(page).toHaveURL(/#1\//);
  await page.goto("about:blank");
  await page.goBack();
  await openSettings(page);
  await expect(page.getByRole("combobox", { name: "Products of f32" })).toHaveValue("bf16");
  await expect(page.getByRole("combobox", { name: "Multiply-add" })).toHaveValue("fused");
  expect(playground.faults).toEqual([]);
});

test("a sum of products is rounded once a step, in the run and beside the usual one", async ({
  playground,
  page,
}) => {
  await playground.begin(`ENTRY e {
  p = f32[2] constant({1, 1.000244140625})
  q = f32[2] constant({-1.00048828125, 1.000244140625})
  ROOT d = f32[] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}`);
  await openSettings(page);
  await page.getByRole("combobox", { name: "Multiply-add" }).selectOption("fused");
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await playground.tab("Precision").click();
  const view = page.locator(".precision-view");
  await view.getByRole("combobox", { name: "Compare with" }).selectOption("inputs");
  await view.getByRole("combobox", { name: "Multiply-add" }).selectOption("separate");
  await view.getByRole("button", { name: "Compare runs" }).click();
  await expect(view.locator(".precision-summary")).toContainText("5.96046448e-08, expected 0");
  expect(playground.faults).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the view is accessible, and narrow too (${scheme})`, async ({ playground, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.begin(NARROW);
    await playground.tab("Precision").click();
    await page.getByRole("button", { name: "Compare with f64" }).click();
    await page.locator(".precision-rows .virtual-row").first().click();
    await expect(page.locator(".precision-growth")).toBeVisible();
    await expect(page.locator(".precision-details")).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    const view = page.locator(".precision-view");
    for (const reference of ["inputs", "expected"]) {
      await view.getByRole("combobox", { name: "Compare with" }).selectOption(reference);
      await expect(view.locator(".precision-fields, .precision-expected")).toBeVisible();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(390);
      expect(await axeFaults(page)).toEqual([]);
    }
  });
}

test("with many parameters what comes of a comparison is in sight", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  const parameters = numbers.map((i) => `  p${i} = f32[4] parameter(${i})`).join("\n");
  await playground.begin(`ENTRY e {\n${parameters}\n  ROOT s = f32[4] sine(p39)\n}`);
  await playground.tab("Precision").click();
  const view = page.locator(".precision-view");
  await view.getByRole("combobox", { name: "Compare with" }).selectOption("inputs");
  await view.getByRole("textbox", { name: /^p39 / }).fill("zero");
  await view.getByRole("button", { name: "Compare runs" }).click();
  await expect(view.locator(".precision-summary")).toBeInViewport();
  expect(await axeFaults(page, ".precision-view")).toEqual([]);
});
