/** What the documents on HLO and on layouts write and say, done on the page. */
import { expect, test } from "./page";

const SPACES = `HloModule spaces
half {
  x = f32[64,256]{1,0:S(1)} parameter(0)
  ROOT y = f32[64,256]{1,0:S(1)} negate(x)
}
ENTRY main {
  p = f32[64,256]{1,0} parameter(0)
  s = (f32[64,256]{1,0:S(1)}, f32[64,256]{1,0}, u32[]{:S(2)}) copy-start(p)
  d = f32[64,256]{1,0:S(1)} copy-done(s)
  v = f32[64,256]{1,0:S(1)} call(d), to_apply=half
  ROOT r = f32[64,256]{1,0} copy(v)
}
`;

test("a fault is mended by a key, and by a click", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  const faulty = "ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] negat(x)\n}\n";
  await playground.write(faulty);
  await expect(playground.status).toContainText("1 error");
  await page.keyboard.press("ControlOrMeta+.");
  await expect(playground.editor).toContainText("negate(x)");
  await expect(playground.status).toContainText("No problems");
  await playground.write(faulty);
  await expect(playground.status).toContainText("1 error");
  await page.keyboard.press("F8");
  await page.locator(".cm-diagnosticAction").first().click();
  await expect(playground.editor).toContainText("negate(x)");
});

test("hover says the terms of a layout", async ({ playground, page }) => {
  await playground.open();
  await playground.write(
    "ENTRY e {\n  ROOT add.936 = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)} parameter(0)\n}\n",
  );
  await playground.hover("type", "bf16");
  const box = page.locator(".cm-tooltip .cm-doc");
  await expect(box).toContainText("rank 4, true rank 3, dimensions p 8, z 1, y 1280, x 16384");
  await expect(box).toContainText("3,2,0,1: minor to major: dimension 3 varies fastest");
  await expect(box).toContainText("in one word of 32 bits");
  await expect(box).toContainText("S(1): VMEM, fast memory");
});

test("every memory has a peak and a timeline", async ({ playground, page }) => {
  await playground.open();
  await playground.write(SPACES);
  await playground.tab("Memory").click();
  await expect(page.getByRole("img", { name: /Live bytes/ })).toHaveCount(3);
  await expect(page.getByRole("region", { name: "VMEM" })).toContainText("128 KiB at the peak");
  await expect(page.getByRole("region", { name: "HBM" })).toContainText("128 KiB at the peak");
});

test("the outline opens to operands, attributes and what they call", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.write(SPACES);
  await playground.tab("Outline").click();
  await expect(page.locator(".outline-head")).toContainText("HloModule spaces");
  const tree = page.getByRole("tree");
  await page.getByRole("treeitem", { name: /\bv\b/ }).click();
  await expect(page.locator(".cm-activeLine")).toContainText("v = f32[64,256]");
  await tree.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("treeitem", { name: /operand 0.*\bd\b/ })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  // The row stays selected, also when the engine has said what the cursor is in.
  await expect(page.locator(".cm-activeLine")).toContainText("d = ");
  await expect(page).toHaveURL(/[&#]v=d\b/);
  await expect(page.getByRole("treeitem", { selected: true })).toContainText("operand 0");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("treeitem", { selected: true })).toContainText("to_apply");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("treeitem", { selected: true })).toContainText("half");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator('[role="treeitem"][aria-level="5"]')).toHaveCount(2);
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await expect(page.locator('[role="treeitem"][aria-level="5"]')).toHaveCount(0);
  await page.getByPlaceholder("Filter by").fill("nowhere");
  // A filter stays across programs: where it hides all of one, it can be cleared beside that.
  await expect(page.getByText("No instruction matches the filter.")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page.getByPlaceholder("Filter by")).toHaveValue("");
  await expect(page.getByRole("treeitem").first()).toBeVisible();
});

test("padding holds what the layout says, to the last byte", async ({ playground, page }) => {
  await playground.open();
  await playground.write(
    "ENTRY e {\n  ROOT x = s32[2,3]{0,1:PAD(3,5;9)} constant({{1,2,3},{4,5,6}})\n}\n",
  );
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await playground.tab("Values").click();
  await playground.values.getByRole("option", { name: /\bx\b/ }).click();
  await playground.tab("Layout").click();
  const bytes = page.locator(".hexdump");
  await expect(bytes.locator("div").first()).toHaveText(
    "0000" + "01000000" + "04000000" + "09000000" + "02000000",
  );
  await expect(bytes.locator(".pad").first()).toHaveText("09");
  await page.getByText("In other notations").click();
  await expect(page.getByText("Without the padding value 9.").first()).toBeVisible();
  await page.locator("#layout-shape").fill("s32[2,3]{0,1:PAD(3,5;banana)}");
  await expect(page.locator(".faults mark")).toHaveText("banana");
});

test("an instruction in the layout's box is its shape in one click", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.tab("Layout").click();
  await page.locator("#layout-shape").fill("f32[3,5] add(a, b)");
  await expect(page.locator(".faults")).toContainText("this is an instruction");
  await page.getByRole("button", { name: "Show f32[3,5]" }).click();
  await expect(page.locator("#layout-shape")).toHaveValue("f32[3,5]");
  // A size that is too large is marked, not the whole text.
  await page.locator("#layout-shape").fill("f32[3,9223372036854775807]{1,0}");
  await expect(page.locator(".faults mark")).toHaveText("9223372036854775807");
});

test("a layout of an earlier text is called so", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await playground.tab("Layout").click();
  await expect(page.getByRole("button", { name: "follows the cursor" })).toBeVisible();
  await playground.write("// nothing but a comment");
  await expect(page.getByRole("button", { name: "of an earlier text" })).toBeVisible();
  await playground.write("ENTRY e {\n\n  ROOT x = f32[7,9]{1,0} parameter(0)\n}\n\n");
  await expect(page.locator("#layout-shape")).toHaveValue("f32[7,9]{1,0}");
  await expect(page.getByRole("button", { name: "follows the cursor" })).toBeVisible();
});

test("Morello's address comes about term by term", async ({ playground, page }) => {
  await playground.open("#morello=f32[6,8] [1, 0, 1 p(4)]&cell=5,7");
  const card = page.getByRole("region", { name: "Address" });
  await expect(card).toContainText("= 3 + 20 + 24");
  await expect(card).toContainText("b2 = b1 + 4 * (d0 mod 6)");
  await expect(card).toContainText("= b1 + 4 * d0, for d0 is at most 5");
  await expect(card).toContainText("= 23 + 24 * 1 = 47");
});

test("a negative index gets a message", async ({ playground, page }) => {
  await playground.open("#shape=f32[3,5]{1,0}&cell=-1,2");
  await expect(page.locator(".notice.error")).toContainText("indices have to be numbers from 0 on");
});

test("a long program is coloured where it is visible, whatever is being checked", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  let text = "HloModule long\n\nENTRY main {\n  v0 = f32[8]{0} parameter(0)\n";
  for (let i = 1; i < 10_000; i++) text += `  v${i} = f32[8]{0} add(v${i - 1}, v0)\n`;
  await playground.write(`${text}  ROOT r = f32[8]{0} negate(v9999)\n}\n`);
  await expect(playground.status).toContainText("10,001 instructions");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("// at the end");
  await page.keyboard.press("Enter");
  // All of it: until the engine has answered, the brace of the line that was split is coloured too.
  const comments = expect.poll(() => playground.coloured("comment"));
  await comments.toEqual(["// at the end"]);
  await page.keyboard.press("ControlOrMeta+Home");
  const keywords = expect.poll(() => playground.coloured("keyword"));
  await keywords.toContain("HloModule");
  await page.keyboard.type("/* from here");
  await page.keyboard.press("Enter");
  await page.keyboard.type("to here */ ");
  await comments.toEqual(["/* from here", "to here */"]);
  await keywords.toContain("HloModule");
});

test("text is coloured where one scrolls to, down and sideways", async ({ playground, page }) => {
  let text = "ENTRY main {\n  v0 = f32[8]{0} parameter(0)\n";
  for (let i = 1; i < 300; i++) {
    text += `  v${i} = f32[8]{0} add(v${i - 1}, v0), metadata={op_name="${"a/".repeat(80)}"}, frontend_attributes={k="${i}"}\n`;
  }
  await playground.begin(`${text}  ROOT r = f32[8]{0} negate(v299)\n}\n`);
  await expect(playground.status).toContainText("301 instructions");
  const scroll = (place: ScrollToOptions) =>
    page.locator(".left .cm-scroller").evaluate((scroller, to) => scroller.scrollTo(to), place);
  const opcodes = expect.poll(() => playground.coloured("opcode"));
  await scroll({ top: 0, left: 0 });
  await opcodes.toContain("parameter");
  await opcodes.not.toContain("negate");
  await scroll({ top: 100_000, left: 0 });
  await opcodes.toContain("negate");
  await expect.poll(() => playground.coloured("string")).not.toContain('"299"');
  await scroll({ top: 100_000, left: 100_000 });
  await expect.poll(() => playground.coloured("string")).toContain('"299"');
});
