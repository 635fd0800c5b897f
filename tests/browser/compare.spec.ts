import { gzipSync } from "fflate";
import { expect, test } from "./page";

const BEFORE = `HloModule m
ENTRY e {
  p = f32[4]{0} parameter(0)
  s = f32[4]{0} sine(p)
  ROOT n = f32[4]{0} negate(s)
}
`;
const AFTER = `HloModule m
f {
  a = f32[4]{0} parameter(0)
  sine.1 = f32[4]{0} sine(a)
  ROOT neg = f32[4]{0} negate(sine.1)
}
ENTRY e {
  p = f32[4]{0} parameter(0)
  ROOT fusion = f32[4]{0} fusion(p), kind=kLoop, calls=f
}
`;

test("a version is kept, the program is edited, and what became of it is shown", async ({
  playground,
  page,
}) => {
  await playground.begin(BEFORE);
  await playground.tab("Compare").click();
  await page.getByRole("button", { name: "Keep this version to compare with" }).click();
  await expect(page.locator(".compare-view")).toContainText("the same, instruction by instruction");
  await playground.write(AFTER);
  const changes = page.getByRole("listbox", { name: /changes?$/ });
  await expect(changes.getByRole("option")).toHaveCount(3);
  await expect(changes).toContainText("fused into %fusion");
  await expect(page.locator(".compare-totals")).toContainText("0 → 1");
  // By keyboard: the instruction is shown in the editor and in both texts.
  await changes.focus();
  await page.keyboard.press("ArrowDown");
  await expect(changes.getByRole("option", { selected: true })).toContainText("sine.1");
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("sine.1 =");
  await expect(
    page.locator(".compare-texts .cm-deletedChunk, .compare-texts .cm-changedLine").first(),
  ).toBeVisible();
  // The same as graphs: what was fused is marked on both sides, the fusion is new.
  await page.getByRole("button", { name: "Graphs" }).click();
  const before = page.getByRole("region", { name: "Before" });
  const after = page.getByRole("region", { name: "After" });
  await expect(before.locator(".small-box.kind-fused").first()).toBeVisible();
  await expect(after.locator(".small-box.kind-added")).toContainText("fusion");
  await expect(after.locator(".small-box.is-focus")).toContainText("sine.1");
  await page.getByRole("button", { name: "Memory", exact: true }).click();
  await expect(before.locator(".buffer-picture")).toBeVisible();
  await expect(after.locator("h2")).toContainText("at the peak");
  await page.getByRole("button", { name: "Texts" }).click();
  // Kinds that nobody wants to see are left out.
  await page.getByRole("button", { name: /^fused/ }).click();
  await expect(changes.getByRole("option")).toHaveCount(1);
  await page.getByRole("button", { name: /^fused/ }).click();
});

test("a link and a reload keep the other program", async ({ playground, page }) => {
  await playground.begin(BEFORE);
  await playground.tab("Compare").click();
  await page.getByRole("button", { name: "Keep this version to compare with" }).click();
  await playground.write(AFTER);
  const rows = page.getByRole("listbox", { name: /changes?$/ }).getByRole("option");
  await expect(rows).toHaveCount(3);
  await page.waitForTimeout(1000);
  const address = page.url();
  await page.reload();
  await expect(rows).toHaveCount(3);
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(other.getByRole("listbox", { name: /changes?$/ }).getByRole("option")).toHaveCount(
    3,
  );
  await expect(other.locator(".compare-view")).toContainText("earlier version");
  await other.close();
});

test("a file to compare with may be broken", async ({ playground, page }) => {
  await playground.begin(AFTER);
  await playground.tab("Compare").click();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await (await choosing).setFiles({
    name: "broken.hlo",
    mimeType: "text/plain",
    buffer: Buffer.from(
      "HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] nonsense(x) }",
    ),
  });
  await expect(page.locator(".compare-view")).toContainText("The program before has errors");
  await expect(page.locator(".compare-view")).toContainText("nonsense");
  await page.getByRole("button", { name: "Compare with nothing" }).click();
  await expect(page.locator(".compare-view")).toContainText("What became of each instruction");
});

test("a file to compare with may be what Open opens: here compressed", async ({
  playground,
  page,
}) => {
  await playground.begin(AFTER);
  await playground.tab("Compare").click();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file…" }).click();
  await (await choosing).setFiles({
    name: "before.hlo.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from(gzipSync(new TextEncoder().encode(BEFORE))),
  });
  const changes = page.getByRole("listbox", { name: /changes?$/ });
  await expect(changes).toContainText("fused into %fusion");
  // What an instruction was called before is said too.
  await expect(changes).toContainText("s → sine.1");
});

test("passes are gone through one by one, switched off, and taken over", async ({
  playground,
  page,
}) => {
  await playground.begin(BEFORE);
  await playground.tab("Compare").click();
  await page.getByRole("button", { name: "Passes of a compiler" }).click();
  const table = page.getByRole("region", { name: /^Passes, in the order/ });
  await expect(table.getByRole("row")).toHaveCount(8);
  await table.getByRole("button", { name: "Fuse" }).click();
  const changes = page.getByRole("listbox", { name: /changes?$/ });
  await expect(changes).toContainText("fused into %loop_fusion");
  await expect(page.locator(".compare-texts")).toBeVisible();
  await expect(page).toHaveURL(/with=passes/);
  await expect(page).toHaveURL(/pass=fuse/);
  // Without it nothing is fused.
  await table.getByRole("checkbox", { name: "Run Fuse" }).click();
  await expect(table.getByRole("button", { name: "All of them" })).toHaveAttribute(
    "aria-pressed",
    /true|false/,
  );
  await expect(changes).not.toContainText("fused into");
  await page.getByRole("button", { name: "Into the editor" }).click();
  await expect(playground.editor).toContainText("is_scheduled=true");
});
