/** Costs by the model, and the times of a run: what a person does with both views. */
import { readFile } from "node:fs/promises";
import { axeFaults, expect, test } from "./page";

const PROGRAM = `HloModule m
ENTRY main {
  p = f32[64,64] parameter(0)
  n = f32[64,64] negate(p)
  e = f32[64,64] exponential(n)
  ROOT d = f32[64,64] dot(e, e), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`;

test("costs: a machine, an order, a row, the roofline by keyboard, and a link", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await page.getByRole("tab", { name: "Cost" }).click();
  const rows = page.locator(".cost-rows .virtual-row");
  await expect(rows.first()).toContainText("d");
  await page.locator(".cost-machine select").selectOption("h100");
  await expect(page.locator(".cost-machine")).toContainText("NVIDIA H100 datasheet");
  await page.getByRole("button", { name: /^Transc/ }).click();
  await expect(rows.first()).toContainText("exponential");
  await rows.first().click();
  await expect(page.locator(".cost-details")).toContainText("1 transcendental per element");
  await expect(page.locator(".left .cm-activeLine")).toContainText("exponential");
  // All columns are in sight, and the words above a number end where it ends.
  const table = page.locator(".cost-table");
  const farthestApart = () =>
    table.evaluate((all) => {
      const numbers = all.querySelectorAll(".virtual-row:first-child .cost-number");
      const columns = all.querySelectorAll(".cost-column:not(.name, .time)");
      const words = document.createRange();
      const apart = [...columns].map((column, i) => {
        words.selectNodeContents(column.firstChild ?? column);
        const end = numbers[i]?.getBoundingClientRect().right ?? 0;
        return Math.abs(words.getBoundingClientRect().right - end);
      });
      return Math.max(...apart);
    });
  for (const width of [2560, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(farthestApart).toBeLessThanOrEqual(2);
    expect(await table.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
  }
  // What bounds an instruction has a heading of its own, as wide as what stands below it.
  const ends = (of: string) =>
    page
      .locator(of)
      .first()
      .evaluate((e) => {
        const { left, width } = e.getBoundingClientRect();
        return [Math.round(left), Math.round(width)];
      });
  for (const part of ["time", "bound"]) {
    expect(await ends(`.cost-columns .${part === "time" ? part : "cost-bound"}`)).toEqual(
      await ends(`.cost-rows .cost-${part}`),
    );
  }
  await page.locator(".cost-roofline").focus();
  await page.keyboard.press("End");
  await expect(page.locator(".cost-details h2")).toContainText("dot");
  await expect(page.locator(".left .cm-activeLine")).toContainText("dot");
  await expect(page).toHaveURL(/machine=h100/);
  await expect(page).toHaveURL(/sort=transcendentals/);
  await page.reload();
  await expect(page.locator(".cost-machine select")).toHaveValue("h100");
  await expect(rows.first()).toContainText("exponential");
  await page.locator(".cost-machine select").selectOption("here");
  await expect(page.locator(".cost-machine .badge")).toHaveText("measured", { timeout: 20_000 });
  expect(playground.faults).toEqual([]);
});

for (const width of [1280, 1440]) {
  test(`numbers of costs stand apart at ${width} pixels, and a long name is whole in its title`, async ({
    playground,
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const name = "a_rather_long_name_of_an_instruction.10";
    await playground.begin(`HloModule m
ENTRY main {
  p = f32[1448,2896]{1,0:T(8,128)} parameter(0)
  ${name} = f32[1448,2896]{1,0:T(8,128)} negate(p)
  ROOT d = f32[1448,1448] dot(p, ${name}), lhs_contracting_dims={1}, rhs_contracting_dims={1}
}`);
    await page.getByRole("tab", { name: "Cost" }).click();
    const row = page.locator(".cost-rows .virtual-row", { hasText: "negate" });
    await expect(row.locator(".cost-name")).toHaveAttribute("title", `${name} negate`);
    const gaps = await page.locator(".cost-rows .virtual-row").evaluateAll((rows) =>
      rows.flatMap((each) => {
        const boxes = [...each.querySelectorAll(".cost-number")]
          .map((cell) => {
            const text = document.createRange();
            text.selectNode(cell.lastChild as Node);
            return text.getBoundingClientRect();
          })
          .filter(({ width: wide }) => wide > 0);
        return boxes.slice(1).map(({ left }, i) => left - (boxes[i]?.right ?? 0));
      }),
    );
    expect(Math.min(...gaps)).toBeGreaterThan(10);
    const table = page.locator(".cost-table");
    expect(await table.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
  });
}

test("the costliest row is in sight, wherever the cursor is", async ({ playground, page }) => {
  const names = Array.from({ length: 300 }, (_, i) => `n${i} = f32[${300 - i}] negate(p${i})`);
  const given = names.map((_, i) => `p${i} = f32[${300 - i}] parameter(${i})`);
  await playground.begin(`HloModule m
ENTRY e {
${[...given, ...names].join("\n")}
  ROOT last = f32[1] negate(n299)
}`);
  await page.getByRole("tab", { name: "Cost" }).click();
  const rows = page.locator(".cost-rows .virtual-row");
  await expect(rows.first()).toContainText("n0");
  await expect(rows.first()).toBeInViewport();
  // Who then goes through the program is followed.
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+End");
  const chosen = page.locator(".cost-rows .virtual-row[aria-selected=true]");
  for (const name of ["last", "n299"]) {
    await page.keyboard.press("ArrowUp");
    await expect(page.locator(".left .cm-activeLine")).toContainText(`${name} =`);
  }
  await expect(chosen).toContainText("n299");
});

test("a profile appears after a run and is saved as a trace", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  await page.keyboard.press("Control+Enter");
  await expect(playground.status).toContainText(/Ran \d/);
  await page.getByRole("tab", { name: "Profile" }).click();
  const box = page.locator(".profile-icicle");
  await expect(page.locator(".profile-steps")).toContainText("dot");
  await box.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(".profile-icicle .level-1[aria-selected=true]")).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as trace" }).click();
  const file = await saving;
  const trace = JSON.parse(await readFile(await file.path(), "utf8"));
  const complete = trace.traceEvents.filter(({ ph }: { ph: string }) => ph === "X");
  expect(complete.length).toBeGreaterThan(1);
  expect(playground.faults).toEqual([]);
});

for (const scheme of ["light", "dark"] as const) {
  test(`both views are accessible, and narrow ones too (${scheme})`, async ({
    playground,
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await playground.begin(PROGRAM);
    for (const [tab, part] of [
      ["Cost", ".cost-savings"],
      ["Profile", ".profile-icicle"],
    ] as const) {
      if (tab === "Profile") await page.keyboard.press("Control+Enter");
      await page.getByRole("tab", { name: tab }).click();
      await expect(page.locator(part)).toBeVisible();
      expect(await axeFaults(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
  });
}

test("on a telephone long names and what was found in a result are whole", async ({
  playground,
  page,
}) => {
  const name = "input_slice_subtract_multiply_fusion.clone.clone.17";
  const type = "f32[16]{0}, ".repeat(30).slice(0, -2);
  await playground.begin(`HloModule wide
ENTRY main {
  %x = f32[16] parameter(0)
  %bad = f32[16] log(f32[16] negate(%x))
  %${name} = f32[16] sort(%bad), dimensions={0}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT l = pred[] compare(a, b), direction=LT
  }
  ROOT r = (${type}) tuple(${`%${name}, `.repeat(30).slice(0, -2)})
}`);
  await page.keyboard.press("Control+Enter");
  await expect(playground.status.getByText(/NaNs in the result/)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  // The run has brought the values to the front. No click: while the page becomes a narrow one, the tab moves.
  await expect(page.getByRole("tab", { name: "Program" })).toBeVisible();
  const values = page.getByRole("tab", { name: "Values" });
  await expect(values).toHaveAttribute("aria-selected", "true");
  await expect(playground.status.getByText(/NaNs in the result/)).toBeInViewport({ ratio: 1 });
  const head = page.locator(".detail-head");
  await expect(head).toContainText("output");
  expect(await head.evaluate((h) => h.scrollWidth - h.clientWidth)).toBe(0);
  expect(
    await head
      .locator("span")
      .first()
      .evaluate((s) => s.scrollWidth - s.clientWidth),
  ).toBe(0);
  await page.getByRole("tab", { name: "Profile" }).click();
  await expect(page.getByRole("button", { name }).first()).toBeInViewport({ ratio: 1 });
});
