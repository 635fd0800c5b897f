/** Inputs as people have them: several arrays in a file, cells of a table, formulas that are typed. */
import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { axeFaults, expect, test } from "./page";

const PROGRAM = `HloModule sums
ENTRY main {
  a = f32[2,3] parameter(0)
  b = f32[2,3] parameter(1)
  s = f32[2,3] add(a, b)
  ROOT t = (f32[2,3], f32[2,3]) tuple(s, a)
}
`;

test("the results of a run leave as one .npz file, and come back as the inputs of another", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(PROGRAM);
  await page.getByRole("textbox", { name: "Value of a" }).fill("iota");
  await page.getByRole("textbox", { name: "Value of b" }).fill("10");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await playground.tab("Values").click();
  await playground.values.getByRole("option", { name: /\bs\b/ }).first().click();

  const save = async (what: string): Promise<Record<string, Uint8Array>> => {
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "More files" }).click();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("menuitem", { name: what }).click();
    return unzipSync(readFileSync(await (await saving).path()));
  };
  const results = await save("All results, .npz");
  expect(Object.keys(results)).toEqual(["output_0.npy", "output_1.npy"]);
  const values = await save("All values of the list, .npz");
  expect(Object.keys(values)).toEqual(["a.npy", "b.npy", "s.npy", "t_0.npy", "t_1.npy"]);

  // Dropped or chosen: each array is the input of its name.
  const { zipSync } = await import("fflate");
  const given = zipSync({
    "b.npy": values["a.npy"] as Uint8Array,
    "a.npy": values["s.npy"] as Uint8Array,
  });
  const file = { name: "both.npz", mimeType: "application/zip", buffer: Buffer.from(given) };
  await page.getByLabel("Read a from a file").setInputFiles(file);
  await expect(page.getByText("both.npz: b is b, a is a.")).toBeVisible();
  await expect(page.locator(".file-chip")).toHaveText([/both\.npz: a/, /both\.npz: b/]);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values.getByRole("option", { name: /\bs\b/ }).first()).toContainText(
    "{{10, 12, 14}, {16, 18, 20}}",
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".file-chip")).toHaveCount(0);
});

test("a file that is no array is not taken for an input", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  const file = { name: "step.hlo", mimeType: "", buffer: Buffer.from(PROGRAM) };
  await page.getByLabel("Read a from a file").setInputFiles(file);
  await expect(
    page.getByText("step.hlo is not an .npy file: it does not begin like one."),
  ).toBeVisible();
  await expect(page.locator(".file-chip")).toHaveCount(0);
});

test("a file of numbers that is opened is an input, and a script leaves the program alone", async ({
  playground,
  page,
}) => {
  await playground.begin(
    "ENTRY e {\n  q = s32[4] parameter(0)\n  x = f32[2,3] parameter(1)\n  ROOT n = f32[2,3] negate(x)\n}\n",
  );
  await expect(page.getByRole("textbox", { name: "Value of x" })).toBeVisible();
  const open = async (name: string, content: string): Promise<void> => {
    const choosing = page.waitForEvent("filechooser");
    await page.keyboard.press("ControlOrMeta+o");
    const file = { name, mimeType: "text/plain", buffer: Buffer.from(content) };
    await (await choosing).setFiles(file);
  };
  await open("rows.csv", "a,b,c\n1,2.5,3\n4,5,6\n");
  await expect(page.locator(".notice")).toContainText("rows.csv is the value of x now.");
  const x = page.getByRole("textbox", { name: "Value of x" });
  await expect(x).toHaveValue("{{1, 2.5, 3}, {4, 5, 6}}");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await open("model.py", "import jax\ndef f(x):\n  return x\n");
  await expect(page.locator(".notice")).toContainText("model.py was not opened.");
  await expect(playground.editor).toContainText("negate(x)");
  await expect(x).toHaveValue("{{1, 2.5, 3}, {4, 5, 6}}");
});

test("an input is edited as a table, by keyboard, and the link has what was written", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(PROGRAM);
  const text = page.getByRole("textbox", { name: "Value of a" });
  await text.fill("iota");
  await page.getByRole("button", { name: "Edit the elements of a" }).click();
  const table = page.getByRole("table", { name: "Elements of a" });
  const cell = (row: number, col: number) => table.getByLabel(`Element (${row}, ${col})`);
  await expect(cell(1, 2)).toHaveValue("5");
  expect(await axeFaults(page)).toEqual([]);

  await cell(0, 1).focus();
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await expect(text).toHaveValue("iota with [0,1] = 7");
  await expect(cell(1, 1)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("nan");
  await page.keyboard.press("ArrowUp");
  await expect(text).toHaveValue("iota with [0,1] = 7, [1,2] = nan");

  // What is no number stays as it is typed, with what is wrong.
  await cell(1, 0).fill("seven");
  await cell(1, 1).focus();
  await expect(cell(1, 0)).toHaveValue("seven");
  await expect(cell(1, 0)).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(/Element \(1, 0\): /)).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await cell(1, 0).fill("");
  await cell(1, 1).focus();
  await expect(cell(1, 0)).toHaveValue("3");

  // Down and across can be other dimensions.
  await page.getByRole("region", { name: "Inputs" }).getByLabel("down").selectOption("1");
  await expect(table.getByRole("row")).toHaveCount(4);
  await expect(cell(1, 2)).toHaveValue("nan");

  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await expect(playground.values.getByRole("option", { name: /\ba\b/ }).first()).toContainText(
    "{{0, 7, 2}, {3, 4, nan}}",
  );
  await page.reload();
  await expect(text).toHaveValue("iota with [0,1] = 7, [1,2] = nan");
  await page.getByRole("button", { name: "Edit the elements of a" }).click();
  // Once the elements are there, on which the place of the button depends.
  await expect(cell(0, 1)).toHaveValue("7");
  await page.getByRole("button", { name: "Restore all" }).click();
  await expect(text).toHaveValue("iota");
});

test("cells that are pasted beyond the array are told, and a paste that fits takes that away", async ({
  playground,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.begin(PROGRAM);
  const text = page.getByRole("textbox", { name: "Value of a" });
  await text.fill("iota");
  await page.getByRole("button", { name: "Edit the elements of a" }).click();
  const first = page.getByRole("table", { name: "Elements of a" }).getByLabel("Element (0, 0)");
  const paste = async (cells: string): Promise<void> => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), cells);
    await first.focus();
    await page.keyboard.press("ControlOrMeta+v");
  };
  const notice = page.locator(".notice");
  await paste("1\t2\t3\t4\n5\t6\t7\t8");
  await expect(notice).toContainText("6 of 8 cells were pasted");
  await expect(text).toHaveValue(/\[1,2\] = 7$/);
  await paste("1\tx");
  await expect(notice).toContainText("Nothing was pasted");
  await paste("9\t8");
  await expect(text).toHaveValue(/\[0,0\] = 9, \[0,1\] = 8/);
  await expect(notice).toHaveCount(0);
});

test("an input comes back with its line, and the inputs of a program with it, by undo", async ({
  playground,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.begin(PROGRAM);
  const a = page.getByRole("textbox", { name: "Value of a" });
  const b = page.getByRole("textbox", { name: "Value of b" });
  await a.fill("iota");
  await b.fill("10");
  await page.locator(".cm-line", { hasText: "b = f32[2,3] parameter(1)" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("ControlOrMeta+x");
  await expect(b).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+v");
  await expect(b).toHaveValue("10");
  await expect(a).toHaveValue("iota");

  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(
    "HloModule other\nENTRY e {\n  q = s32[4] parameter(0)\n  ROOT n = s32[4] negate(q)\n}\n",
  );
  const q = page.getByRole("textbox", { name: "Value of q" });
  await q.fill("zero");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(a).toHaveValue("iota");
  await expect(b).toHaveValue("10");
  await page.keyboard.press("ControlOrMeta+y");
  await expect(q).toHaveValue("zero");
});

test("a formula that is typed says where it is wrong, and nothing that was typed is lost", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(PROGRAM);
  const text = page.getByRole("textbox", { name: "Value of b" });
  await text.fill("cos(i0) + sn(i1)");
  const fault = page.locator(".input-fault");
  await expect(fault).toContainText("Column 11:");
  await expect(fault.locator("mark")).toHaveText("sn");
  await expect(text).toHaveAttribute("aria-invalid", "true");
  expect(await axeFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeFaults(page)).toEqual([]);
  await text.press("End");
  for (let i = 0; i < 6; i++) await text.press("Backspace");
  await page.keyboard.type("sin(i1)");
  await expect(text).toHaveValue("cos(i0) + sin(i1)");
  await expect(fault).toHaveCount(0);
  await expect(text).toHaveAttribute("aria-invalid", "false");
  await text.fill("iota with [0,9] = 1");
  await expect(fault.locator("mark")).toHaveText("9");
  // An array as Python prints it is what it says.
  await text.fill("array([[1., 2., 3.], [4., x, 6.]], dtype=float32)");
  await expect(fault.locator("mark")).toHaveText("x");
  // One that a program makes has to be of the parameter's sizes, as rows of numbers have.
  await text.fill("np.ones((2, 2))");
  await expect(fault).toContainText("[2,2]");
  await text.fill("1 2 3 4 5");
  await expect(fault).toContainText("this has 5 numbers");
  await text.fill("array([[1., 2., 3.], [4., 5., 6.]], dtype=float32)");
  await expect(fault).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await expect(playground.values.getByRole("option", { name: /\bb\b/ }).first()).toContainText(
    "{{1, 2, 3}, {4, 5, 6}}",
  );
});

test("fields stand below one another, also of what has no table", async ({ playground, page }) => {
  await playground.begin(
    "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT t = (f32[2], s32[]) parameter(1)\n}\n",
  );
  const fields = page.locator(".input-spec");
  await expect(fields).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Edit the elements of x" })).toBeVisible();
  const [first, second] = await Promise.all([
    fields.first().boundingBox(),
    fields.last().boundingBox(),
  ]);
  expect(second?.x).toBe(first?.x);
  expect(second?.width).toBe(first?.width);
});

test("a number that its type does not hold is marked as it is typed, whatever the other input is", async ({
  playground,
  page,
}) => {
  test.slow();
  await playground.begin(
    "ENTRY e {\n  s = s32[] parameter(0)\n  x = f32[3] parameter(1)\n  ROOT y = (s32[], f32[3]) tuple(s, x)\n}\n",
  );
  const s = page.getByRole("textbox", { name: "Value of s" });
  const fault = page.locator(".input-fault");
  for (const other of ["iota", "sin(i0)"]) {
    await page.getByRole("textbox", { name: "Value of x" }).fill(other);
    for (const number of ["3.5", "9999999999", "nan"]) {
      await s.fill(number);
      await expect(fault).toBeVisible();
      await expect(s).toHaveAttribute("aria-invalid", "true");
      await page.keyboard.press("ControlOrMeta+Enter");
      await expect(playground.status).toContainText("The program was not run");
    }
    // What was refused is past once it is corrected, before it runs again.
    await s.fill("-7");
    await expect(fault).toHaveCount(0);
    await expect(playground.status).toContainText("No problems");
    await expect(page.locator(".run-faults")).toHaveCount(0);
    await page.keyboard.press("ControlOrMeta+Enter");
    await playground.ran();
  }
});

test("inputs that are not understood are counted as problems, and a click leads to the first", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  const fields = page.locator(".input-spec > input");
  await fields.nth(1).fill("sn(i0)");
  const count = playground.status.getByRole("button", { name: /not understood/ });
  await expect(count).toHaveText("1 input is not understood");
  await fields.nth(0).fill("{1");
  await expect(count).toHaveText("2 inputs are not understood");
  await expect(playground.status).not.toContainText("No problems");
  await count.click();
  await expect(fields.nth(0)).toBeFocused();
  // A run that refuses them counts them no second time.
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.status).toContainText("The program was not run");
  await expect(playground.status).not.toContainText("error");
  await page.setViewportSize({ width: 390, height: 844 });
  await playground.tab("Program").click();
  await count.click();
  await expect(fields.nth(0)).toBeFocused();
  await fields.nth(0).fill("iota");
  await fields.nth(1).fill("iota");
  await expect(playground.status).toContainText("No problems");
});

test("what a run refused of an input that nobody typed is said at its field", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  const text = page.getByRole("textbox", { name: "Value of a" });
  await text.fill("{1");
  await expect.poll(() => page.url()).toContain("#1/");
  await page.reload();
  await expect(text).toHaveValue("{1");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.status).toContainText("The program was not run");
  await expect(page.locator(".input-fault")).toBeVisible();
  await expect(text).toHaveAttribute("aria-invalid", "true");
});
