/** Where a NaN comes from: what a person does with the Why view. */
import { axeFaults, expect, test } from "./page";

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[3] constant({0, 2, 1e30})
  z = f32[3] subtract(x, x)
  q = f32[3] divide(z, x)
  big = f32[3] multiply(x, x)
  s = f32[3] add(q, big)
  ROOT t = f32[3] reverse(s), dimensions={0}
}`;

test("why: from a NaN in the result to the division that made it, and the first overflow", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await page.keyboard.press("Control+Enter");
  await expect(playground.status).toContainText(/Ran \d/);
  await playground.command("Where does it come from");
  const rows = page.locator(".why-row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText("t[2]");
  await expect(rows.nth(1)).toContainText("s[0]");
  await expect(rows.nth(2)).toContainText("q[0]");
  await expect(rows.nth(2)).toContainText("z[0] = 0");
  // The lines of the chain, in the editor, beside views that say what they mean.
  await expect(page.locator(".left .cm-linked")).toHaveCount(3);
  await playground.tab("Cost").click();
  await expect(page.locator(".left .cm-linked")).toHaveCount(0);
  await playground.tab("Why").click();
  await expect(page.locator(".left .cm-linked")).toHaveCount(3);
  expect(await axeFaults(page, ".why-view")).toEqual([]);
  // A row selects its cell, and the chain stays.
  const made = rows.nth(2).locator(".why-element");
  await made.focus();
  await page.keyboard.press("Enter");
  await expect(made).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".left .cm-activeLine")).toContainText("divide");
  await expect(rows).toHaveCount(3);
  // What went into it goes on from there.
  await rows.nth(2).getByRole("button", { name: "z[0] = 0" }).click();
  await expect(rows.nth(0)).toContainText("z[0]");
  await page.getByRole("button", { name: "First overflow" }).click();
  await expect(page.locator(".why-said")).toHaveText(
    "1e+30 * 1e+30 is beyond the largest finite f32",
  );
  await expect(rows.nth(0)).toContainText("big[2]");
  await page.getByRole("button", { name: "First underflow" }).click();
  await expect(page.locator(".why-said")).toHaveText("nothing underflowed to zero");
  await expect(rows).toHaveCount(0);
  await page.getByRole("button", { name: "The selected element" }).click();
  await expect(rows.nth(0)).toContainText("z[0]");
  expect(playground.faults).toEqual([]);
});

const LOOPED = `HloModule m
half { p = f32[3] parameter(0)  h = f32[3] subtract(p, p)  ROOT bad = f32[3] divide(h, p) }
cond { s = (s32[], f32[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(2)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[3]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  x = f32[3] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
  y = f32[3] call(x), to_apply=half  ROOT t = (s32[], f32[3]) tuple(j, y) }
ENTRY main {
  zero = s32[] constant(0)
  x = f32[3] constant({1, 2, 0})
  s = (s32[], f32[3]) tuple(zero, x)
  w = (s32[], f32[3]) while(s), condition=cond, body=body
  y = f32[3] get-tuple-element(w), index=1
  other = f32[3] add(x, x)
  ROOT r = f32[3] reverse(y), dimensions={0}
}`;

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
] as const) {
  test(`why: the status line leads to what made the NaNs; the path is marked in the values and the graph, ${colorScheme}, ${width} wide`, async ({
    playground,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await playground.begin(LOOPED);
    await page.keyboard.press("Control+Enter");
    // 0/0 in the second iteration for two of them, in the first for one.
    const found = playground.status.getByRole("button", { name: /in the result/ });
    await expect(found).toHaveText("3 NaNs in the result: first made by bad in line 2");
    await page.setViewportSize({ width, height: 844 });
    await found.focus();
    await page.keyboard.press("Enter");
    const rows = page.locator(".why-row");
    await expect(rows.first()).toContainText("r[0]");
    const made = page.locator('.why-element[aria-pressed="true"]');
    await expect(made).toContainText("bad[2]");
    await expect(made).toContainText("iteration 0");
    await expect(page.locator(".why-marks")).toContainText("where r[0] comes from");
    const views = page.locator("#view-panel, #parts").first();
    await expect(views).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
    // The value of the row is the one looked at: its cell is marked, and says so.
    await playground.tab("Values").click();
    await expect(page.locator(".value-detail .why-marks")).toContainText("where r[0] comes from");
    await expect.poll(() => playground.spoken("value")).toMatch(/column 2.*on the marked path/);
    await playground.grid("value").focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => playground.spoken("value")).not.toContain("on the marked path");
    expect(await axeFaults(page, ".views")).toEqual([]);
    // In the graph the boxes on the path are marked, and the others are not.
    await playground.tab("Graph").click();
    await expect(page.locator('[data-box="main/r"].is-marked')).toHaveCount(1);
    await expect(page.locator('[data-box="main/w"].is-marked')).toHaveCount(1);
    await expect(page.locator('[data-box="main/other"]')).toHaveCount(1);
    await expect(page.locator('[data-box="main/other"].is-marked')).toHaveCount(0);
    await page.getByRole("button", { name: "Remove the marks" }).click();
    await expect(page.locator(".is-marked")).toHaveCount(0);
    expect(await axeFaults(page, ".views")).toEqual([]);
  });
}

test("why: what an element reaches, up to the result", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  await page.keyboard.press("Control+Enter");
  await expect(playground.status).toContainText("1 NaN and 1 infinity in the result");
  // The second element of x, by keyboard.
  await playground.values.getByText("x", { exact: true }).click();
  await playground.grid("value").focus();
  // The first key selects the first element.
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => playground.spoken("value")).toContain("column 0");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => playground.spoken("value")).toContain("column 1");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("What does it reach");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "What does it reach?" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const said = page.locator(".why-results");
  await expect(said).toHaveText("It reaches 1 of 3 elements of the result.");
  // What is asked stays with the page, and is in its link.
  await page.reload();
  await expect(said).toHaveText("It reaches 1 of 3 elements of the result.");
  await expect(page).toHaveURL(/[#&]reach=1/);
  const rows = page.locator(".why-row");
  await expect(rows).toHaveCount(6);
  await expect(rows.nth(0)).toContainText("x[1]");
  await expect(rows.last()).toContainText("t[1]");
  await expect(rows.last()).toContainText("from s");
  await expect(page.locator(".left .cm-linked")).toHaveCount(6);
  expect(await axeFaults(page, ".why-view")).toEqual([]);
  // A row selects its element, and the answer stays.
  await rows.nth(3).locator(".why-element").click();
  await expect(page.locator(".left .cm-activeLine")).toContainText("multiply");
  await expect(rows).toHaveCount(6);
  // The same switch the other way.
  await page.getByRole("button", { name: "Where does it come from?" }).click();
  await expect(rows.nth(0)).toContainText("big[1]");
  expect(playground.faults).toEqual([]);
});

test("why: a predicate reaches nothing, but decides which branch runs", async ({
  playground,
  page,
}) => {
  const src = `t { x = f32[] parameter(0)  ROOT r = f32[] negate(x) }
f { x = f32[] parameter(0)  ROOT r = f32[] abs(x) }
ENTRY main {
  x = f32[] constant(1)
  p = pred[] parameter(0)
  ROOT k = f32[] conditional(p, x, x), true_computation=t, false_computation=f
}`;
  await playground.begin(src);
  await page.keyboard.press("Control+Enter");
  await expect(playground.status).toContainText("Ran");
  await playground.values.getByText("p", { exact: true }).click();
  await playground.command("What does it reach");
  await expect(page.locator(".why-results li")).toHaveText([
    "It does not reach the result.",
    "It decides which branch of k runs.",
  ]);
});
