/** What `--xla_dump_to` writes: folders, archives and protocol buffers as texts above the editor. */
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { axeFaults, expect, test } from "./page";

const program = (name: string, op: string): string =>
  `HloModule ${name}\n\nENTRY main {\n  p = f32[2]{0} parameter(0)\n  ROOT r = f32[2]{0} ${op}(p)\n}\n`;

const ASSIGNMENT = `BufferAssignment:
allocation 0: size 8, parameter 0, shape |f32[2]| at ShapeIndex {}:
 value: <0 p @0> (size=8,offset=0): f32[2]{0}
allocation 1: size 8, maybe-live-out:
 value: <1 r @0> (size=8,offset=0): f32[2]{0}

Total bytes used: 16 (16B)
`;

const FILES: Record<string, string> = {
  "module_0002.jit_g.before_optimizations.txt": program("jit_g", "cosine"),
  "module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt": program("jit_f", "exponential"),
  "module_0001.jit_f.before_optimizations.txt": program("jit_f", "negate"),
  "module_0001.jit_f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt": ASSIGNMENT,
};

const SNAPSHOT = `hlo { hlo_module { name: "snap" computations { name: "e" id: 1 root_id: 2
  instructions { name: "p" opcode: "parameter" id: 1 shape { element_type: S32 dimensions: 2 } }
  instructions { name: "n" opcode: "negate" id: 2 operand_ids: 1 shape { element_type: S32 dimensions: 2 } }
} } }
arguments { shape { element_type: S32 dimensions: 2 layout { minor_to_major: 0 } } s32s: 5 s32s: -6 }
`;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const zip = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, encode(text)])));

async function drop(page: Page, files: Record<string, Uint8Array>): Promise<void> {
  const data = await page.evaluateHandle(
    (files) => {
      const transfer = new DataTransfer();
      for (const [name, bytes] of files) {
        transfer.items.add(new File([new Uint8Array(bytes)], name));
      }
      return transfer;
    },
    Object.entries(files).map(([name, bytes]): [string, number[]] => [name, [...bytes]]),
  );
  await page.locator(".left .editor").dispatchEvent("drop", { dataTransfer: data });
}

const tabs = (page: Page) => page.getByRole("tablist", { name: "Files of this dump" });

test("a zip of two modules: tabs by stage, each with its own text", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await drop(page, { "dump.zip": zip(FILES) });
  await expect(tabs(page).getByRole("tab")).toHaveText([
    "1.jit_f before_optimizations",
    "1.jit_f sm_8.0_gpu_after_optimizations",
    "1.jit_f sm_8.0_gpu_after_optimizations-buffer-assignment",
    "2.jit_g before_optimizations",
  ]);
  await expect(playground.editor).toContainText("negate(p)");
  // An edit stays with its file, and so does what can be undone.
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("// mine\n");
  await tabs(page).getByRole("tab").nth(1).click();
  await expect(playground.editor).toContainText("exponential(p)");
  await page.keyboard.press("ArrowLeft");
  await expect(playground.editor).toContainText("// mine");
  await playground.editor.click();
  // The line break and the words before it are a step each.
  await expect(async () => {
    await page.keyboard.press("ControlOrMeta+z");
    await expect(playground.editor).not.toContainText("mine", { timeout: 300 });
  }).toPass();
  await expect(playground.editor).toContainText("negate(p)");
  // The buffer assignment is shown by the memory view.
  await tabs(page).getByRole("tab").nth(2).click();
  await expect(page.locator(".views")).toContainText("parameter, allocation 0 + 0");
  // Tabs close by the Delete key; the last one has no strip.
  await tabs(page).getByRole("tab").nth(2).focus();
  await page.keyboard.press("Delete");
  await expect(tabs(page).getByRole("tab")).toHaveCount(3);
  await page.getByRole("button", { name: "All files (4)" }).click();
  const list = page.getByRole("dialog", { name: "Files of this dump" });
  await list.getByRole("searchbox").fill("buffer");
  await list.getByRole("option").dblclick();
  await expect(tabs(page).getByRole("tab")).toHaveCount(4);
  await expect(playground.editor).toContainText("BufferAssignment");
});

test("all files are there after a reload, also those that nobody has looked at", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await drop(page, { "dump.zip": zip(FILES) });
  await tabs(page).getByRole("tab").nth(3).click();
  await expect(playground.editor).toContainText("cosine(p)");
  await page.waitForTimeout(1500);
  await page.reload();
  await expect(playground.editor).toContainText("cosine(p)");
  await expect(tabs(page).getByRole("tab")).toHaveCount(4);
  await tabs(page).getByRole("tab").nth(1).click();
  await expect(playground.editor).toContainText("exponential(p)");
  await page.getByRole("button", { name: "All files (4)" }).click();
  // The list begins at the file that is open.
  const list = page.getByRole("dialog", { name: "Files of this dump" });
  await expect(list.getByRole("option", { selected: true })).toHaveText(
    "module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt",
  );
});

test("what is too large to keep is missing after a reload, and the list says so", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  const large = `${FILES["module_0002.jit_g.before_optimizations.txt"]}${" ".repeat(9 * 2 ** 20)}`;
  await drop(page, { "dump.zip": zip({ ...FILES, "module_0002.jit_g.0001.x.txt": large }) });
  await expect(tabs(page).getByRole("tab")).toHaveCount(5);
  await page.waitForTimeout(2500);
  await page.reload();
  await expect(tabs(page).getByRole("tab")).toHaveCount(4);
  await page.getByRole("button", { name: "All files (4 of 5)" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 file was not kept");
});

test("the open files are what Compare and Precision offer, each with the one before it", async ({
  playground,
  page,
}) => {
  const stages = ["negate", "sine", "cosine"].map((op, i) => [
    `module_0001.jit_f.000${i + 1}.simplify.after_${op}.before_x.txt`,
    program("jit_f", op).replace("r =", `r.${i} =`),
  ]);
  await playground.open();
  await playground.ran();
  await drop(page, { "dump.zip": zip(Object.fromEntries(stages)) });
  const title = (i: number) => (stages[i]?.[0] ?? "").slice("module_0001.jit_f.".length, -4);
  // The tabs show what differs, and are called by their whole titles.
  await expect(tabs(page).getByRole("tab", { name: title(1), exact: true })).toBeVisible();
  await playground.tab("Compare").click();
  const view = page.locator(".compare-view");
  await expect(view).toContainText("No open file of this module comes before this one");
  await view.locator(".empty").getByRole("button").click();
  const before = view.getByRole("combobox", { name: "Before" });
  await expect(before.locator("option:checked")).toHaveText(title(0));
  await expect(view).toContainText(`After: ${title(1)}`);
  const changes = page.getByRole("listbox", { name: /changes?$/ });
  // Both names, and both places.
  await expect(changes).toContainText("r.0 → r.1");
  await changes.getByRole("option").first().click();
  for (const op of ["negate", "sine"]) {
    await expect(page.locator(".compare-texts .cm-linked", { hasText: op })).toBeVisible();
  }
  await view.getByRole("button", { name: "Compare the next two stages" }).click();
  await expect(before.locator("option:checked")).toHaveText(title(1));
  await expect(playground.editor).toContainText("cosine");
  await expect(view.getByRole("button", { name: "Compare the next two stages" })).toBeDisabled();
  // Any other one, also one that nobody has looked at; the choice stays.
  await before.selectOption({ label: title(0) });
  await expect(changes).toContainText("r.0 → r.2");
  await page.waitForTimeout(1200);
  await page.reload();
  await expect(changes).toContainText("r.0 → r.2");
  await view.getByRole("button", { name: "Compare with the file before again" }).click();
  await expect(changes).toContainText("r.1 → r.2");
  // A version that is kept is called by its file.
  await view.getByRole("button", { name: "Keep this version" }).click();
  await expect(before.locator("option:checked")).toHaveText(`${title(2)}, earlier version`);
  expect(await axeFaults(page)).toEqual([]);
  await playground.tab("Precision").click();
  const precision = page.locator(".precision-view");
  await precision.getByRole("combobox", { name: "Compare with" }).selectOption("other");
  await precision
    .getByRole("combobox", { name: "Another program" })
    .selectOption({ label: title(0) });
  await expect(precision.getByRole("button", { name: "Compare runs" })).toBeEnabled();
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test("what changed at every stage of a dump is listed, and each leads to its comparison", async ({
  playground,
  page,
}) => {
  const stage = (name: string, text: string) => [`module_0001.jit_f.${name}.txt`, text];
  const files = [
    stage("before_optimizations", program("jit_f", "negate")),
    stage("0001.simplify.after_a.before_b", program("jit_f", "sine")),
    stage("0002.simplify.after_b.before_c", program("jit_f", "sine")),
    stage("0003.simplify.after_c.before_d", program("jit_f", "nothing_known")),
  ];
  await playground.open();
  await playground.ran();
  await playground.tab("Compare").click();
  const view = page.locator(".compare-view");
  await expect(view.getByRole("button", { name: "All stages" })).toHaveCount(0);
  await drop(page, { "dump.zip": zip(Object.fromEntries(files)) });
  await view.getByRole("button", { name: "All stages" }).click();
  await expect(page).toHaveURL(/with=stages/);
  const table = page.getByRole("region", { name: /^What changed at each stage/ });
  const rows = table.locator("tbody tr");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("replaced 1");
  await expect(rows.nth(1)).toContainText("nothing");
  await expect(rows.nth(2)).toContainText("One of the programs has errors.");
  // An edit of the file that is shown counts.
  await playground.write(program("jit_f", "sine"));
  await expect(rows.nth(0)).toContainText("nothing");
  expect(await axeFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await rows.nth(1).getByRole("button").click();
  await expect(view).toContainText("After: 0002.simplify.after_b.before_c");
  await expect(view).toContainText("Both programs are the same, instruction by instruction.");
});

test("a snapshot opens with its arguments and runs", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await drop(page, { "snapshot.pbtxt": encode(SNAPSHOT) });
  await expect(playground.editor).toContainText("negate(p)");
  await expect(page.locator(".inputs")).toContainText("argument_0.npy");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values).toContainText("{-5, 6}");
});

test("broken files say so, and what is there stays", async ({ playground, page }) => {
  await playground.begin(program("mine", "tanh"));
  const notice = page.locator(".notice.error");
  await drop(page, { "dump.zip": zip(FILES).subarray(0, 300) });
  await expect(notice).toContainText("dump.zip is cut off or damaged");
  await drop(page, { "dump.txt.gz": new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]) });
  await expect(notice).toContainText("dump.txt.gz is cut off or damaged");
  await drop(page, { "<b>x</b>.pb": new Uint8Array([0x0a, 0x02, 0, 0, 255]) });
  await expect(notice).toContainText("<b>x</b>.pb is neither text nor a program of XLA");
  expect(await playground.text()).toContain("tanh");
});

for (const scheme of ["light", "dark"] as const) {
  test(`the tabs and the list are accessible (${scheme})`, async ({ playground, page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.open();
    await playground.ran();
    await drop(page, { "dump.zip": zip(FILES) });
    await expect(tabs(page)).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "All files (4)" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
  });
}

test("on a narrow screen the strip scrolls and the page does not", async ({ playground, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await playground.open();
  await playground.tab("Program").click();
  await drop(page, { "dump.zip": zip(FILES) });
  await expect(tabs(page)).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});
