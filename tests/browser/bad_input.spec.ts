import { expect, test } from "./page";

const programs: [string, string][] = [
  ["nothing", " "],
  ["noise", "\u0001}{)(\u202e HloModule ]]] = = = %%%"],
  ["deep nesting", `ENTRY e { ROOT x = ${"(".repeat(20_000)}`],
  ["many braces", "{".repeat(300_000)],
  ["an enormous shape", "ENTRY e { ROOT x = f32[1000000,1000000] iota(), iota_dimension=0 }"],
  ["a recursive call", "ENTRY e { ROOT x = f32[] call(), to_apply=e }"],
];

for (const [name, text] of programs) {
  test(`${name} gives diagnostics, and the text stays`, async ({ playground, page }) => {
    await playground.open();
    await playground.ran();
    await playground.write(text);
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(page.getByRole("button", { name: "Run", exact: true }).first()).toBeVisible();
    if (name !== "nothing") {
      await expect(playground.status).toContainText(/error|failed/i);
    }
    await playground.write("ENTRY e { ROOT x = f32[] constant(2) }");
    await page.keyboard.press("ControlOrMeta+Enter");
    await playground.ran();
  });
}

test("a diagnostic is shown where the fault is, with its fix", async ({ playground, page }) => {
  await playground.open();
  await playground.write("ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] ad(x, x)\n}\n");
  const mark = page.locator(".cm-lintRange-error").first();
  await expect(mark).toBeVisible();
  await mark.hover();
  await expect(page.locator(".cm-diagnostic").first()).toBeVisible();
  // A view of whole programs says what keeps it from being there, and has the fix.
  await playground.tab("Cost").click();
  await page.getByText("The program has 1 error.").waitFor();
  await page.getByRole("button", { name: /^Fix: .*add/ }).click();
  await expect(playground.editor).toContainText("add(x, x)");
  await expect(page.getByText("The program has 1 error.")).toHaveCount(0);
});

test("a layout that is pasted opens in the layout view, whatever its notation", async ({
  playground,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open("#ex=attention");
  await playground.ran();
  for (const layout of [
    "f32[8,4]{1,0:T(2,2)}",
    "f32[6,8] [1, 0, 1 p(4)]",
    "F32[3,5]{1,0:(2,2)}",
    "NCHW",
    "(4,(2,8)):(16,(1,2))",
  ]) {
    await page.evaluate((text) => navigator.clipboard.writeText(`${text}\n`), layout);
    await playground.editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+v");
    await expect(page.locator("#layout-shape")).toHaveValue(layout);
    await expect(playground.editor).toContainText("HloModule attention");
  }
  await expect(page.getByText(/Recognised a layout/)).toBeVisible();
  expect(await playground.text()).toContain("HloModule attention");
});

test("typing in a long program is checked as it goes", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  const lines = Array.from(
    { length: 5000 },
    (_, i) => `  v${i + 1} = f32[8,128]{1,0:T(8,128)} add(v${i}, v${i})`,
  );
  const program = `ENTRY main {\n  v0 = f32[8,128]{1,0:T(8,128)} parameter(0)\n${lines.join("\n")}\n}\n`;
  await playground.write(program);
  await expect(playground.status).toContainText("5,001 instructions");
  await page.keyboard.press("ControlOrMeta+Home");
  for (const letter of "// a note\n@") await page.keyboard.insertText(letter);
  await expect(playground.status).toContainText(/1 error|errors/);
  await page.keyboard.press("Backspace");
  await expect(playground.status).toContainText("No problems");
  expect(await playground.text()).toContain("// a note");
});

test("one of a kind is spoken of as one, and what is in another program has no line here", async ({
  playground,
  page,
}) => {
  await playground.begin(`HloModule one
ENTRY e {
  x = f32[8] parameter(0)
  c = f32[8] custom-call(x), custom_call_target="mine"
  ROOT z = f32[8] negate(c)
}`);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".run-faults")).toContainText("Line 4:");
  await playground.tab("Cost").click();
  await expect(page.getByText("1 custom call is not known and counts as nothing.")).toBeVisible();
  const time = page.locator(".cost-rows .cost-time").first();
  await expect(time).toContainText("100 %");
  expect(await time.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  await playground.tab("Why").click();
  await expect(page.getByText("1 step was recorded.")).toBeVisible();
  await playground.tab("Precision").click();
  await page.getByRole("button", { name: "Compare runs" }).click();
  const faults = page.locator(".run-faults");
  await expect(faults).toContainText("Line 4: this program: c:");
  await expect(faults).toContainText("the program in f64: c.narrow:");
  await expect(faults).not.toContainText("Line 1");
});
