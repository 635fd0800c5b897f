import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./page";

const SHARDED = `HloModule sharded, num_partitions=4
ENTRY main {
  x = f32[5,6] parameter(0), sharding={devices=[2,2]<=[2,2]T(1,0)}
  w = f32[8] parameter(1), sharding={devices=[2,2]<=[4] last_tile_dim_replicate}
  ROOT t = (f32[5,6], f32[8]) tuple(x, w), sharding={{replicated}, {maximal device=3}}
}
`;

test("which device has which part: the sharding at the cursor is drawn, without a run", async ({
  playground,
  page,
}) => {
  await playground.begin(SHARDED);
  await playground.tab("Devices").click();
  const chosen = page.getByRole("combobox", { name: "Instruction" });
  await chosen.selectOption({ label: "x f32[5,6]" });
  const table = page.getByRole("region", { name: "Pieces by device" });
  await expect(table.getByRole("row")).toHaveCount(5);
  await expect(table.getByRole("row").nth(2)).toHaveText("1(1, 0)[3:5, 0:3][1, 0]");
  await expect(page.getByText("Hatched to the right: padding")).toBeVisible();
  await expect(page.locator(".shards text")).toHaveText(["0", "1", "2", "3"]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // The cursor chooses as well.
  await page.locator(".left .cm-line", { hasText: "w = f32[8]" }).click();
  await expect(chosen).toHaveValue(/\/w$/);
  await expect(page.getByText("2 devices have each piece.")).toBeVisible();
  await expect(page.locator(".shards text")).toHaveText(["0, 1", "2, 3"]);
  await page.locator(".left .cm-line", { hasText: "ROOT t" }).click();
  await page.getByRole("combobox", { name: "Array of the tuple" }).selectOption({ index: 1 });
  await expect(page.getByText("device 3 alone has the whole array")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

const EXCHANGING = `HloModule exchanging, replica_count=2, num_partitions=2
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
ENTRY main {
  i = u32[] partition-id()
  f = f32[] convert(i)
  x = f32[2] broadcast(f), dimensions={}
  g = f32[4] all-gather(x), dimensions={0}, replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true
  p = f32[4] collective-permute(g), source_target_pairs={{0,1}}, channel_id=2
  ROOT s = f32[4] all-reduce(p), replica_groups={{0,1,2,3}}, to_apply=add, channel_id=3, use_global_device_ids=true
}
`;

test("what devices exchange, one step after another: who gives, whose data goes where, who waits", async ({
  playground,
  page,
}) => {
  await playground.begin(EXCHANGING);
  await playground.tab("Devices").click();
  const section = page.getByRole("region", { name: "The run on its devices" });
  await expect(section).toContainText("This program runs on 4 devices.");
  await section.getByRole("button", { name: "Run" }).click();
  const list = page.getByRole("combobox", { name: "Exchange" });
  await expect(list).toHaveValue("1");
  await expect(list.locator("option")).toHaveCount(6);
  const parts = page.getByRole("region", { name: "What each device gives and gets" });
  await expect(parts.getByRole("row").nth(2)).toHaveText("1{1, 1}{0, 0, 1, 1}");
  // Two pieces for each of two members, from the first and from the second.
  await expect(page.locator(".exchange .exchange-line")).toHaveCount(4);
  await expect(page.locator(".exchange text.shard-number")).toHaveText("010101".split(""));
  const cells = page.locator(".device-cell");
  await expect(cells).toHaveCount(4);
  await expect(cells.first()).toContainText("waits for 1");
  await expect(cells.nth(1)).toContainText("at all-gather g");
  await expect(cells.nth(1)).toContainText(/\d arrays?, \d+ B/);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // Arrow keys move in the grid.
  await cells.first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(cells.nth(2)).toBeFocused();
  const next = page.getByRole("button", { name: "Next" });
  await next.focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press("Enter");
  await expect(list).toHaveValue("5");
  await expect(section).toContainText("combined element by element");
  await expect(page.locator(".exchange .exchange-line")).toHaveCount(16);
  await page.getByRole("combobox", { name: "Data that goes to" }).selectOption("Device 2");
  await expect(page.locator(".exchange .exchange-line")).toHaveCount(4);
  await next.click();
  await expect(next).toBeDisabled();
  await expect(cells.first()).toContainText("has ended");
  await list.selectOption("3");
  await expect(page).toHaveURL(/exchange=3/);
  await page.reload();
  await expect(list).toHaveValue("3");
  await expect(section).toContainText("Each source sends what it gives to its target.");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("a deadlock is drawn: who waits for whom", async ({ playground, page }) => {
  const program = `HloModule m, replica_count=2
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
t { x = f32[2] parameter(0)  ROOT r = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=add }
f { x = f32[2] parameter(0)  ROOT n = f32[2] negate(x) }
ENTRY e { x = f32[2] parameter(0)  i = u32[] replica-id()  z = u32[] constant(0)  c = pred[] compare(i, z), direction=EQ
  ROOT k = f32[2] conditional(c, x, x), true_computation=t, false_computation=f }`;
  await playground.begin(program);
  await playground.tab("Devices").click();
  const section = page.getByRole("region", { name: "The run on its devices" });
  await section.getByRole("button", { name: "Run" }).click();
  await expect(section.getByRole("img", { name: "Who waits for whom" })).toBeVisible();
  await expect(section.locator(".wait-line")).toHaveCount(1);
  await expect(section.getByRole("listitem")).toContainText(
    /Device 0 waits in all-reduce t\/r for .*missing: 1 \(has ended\)/,
  );
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});
