import { axeFaults, expect, test } from "./page";

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
  await expect(page.getByText("padding, which is no part of the array")).toBeVisible();
  await expect(page.locator(".shards text")).toHaveText(["0", "1", "2", "3"]);
  expect(await axeFaults(page)).toEqual([]);
  // The cursor chooses as well.
  await page.locator(".left .cm-line", { hasText: "w = f32[8]" }).click();
  await expect(chosen).toHaveValue(/\/w$/);
  await expect(page.getByText("2 devices have each piece.")).toBeVisible();
  await expect(page.locator(".shards text")).toHaveText(["0, 1", "2, 3"]);
  await page.locator(".left .cm-line", { hasText: "ROOT t" }).click();
  await page.getByRole("combobox", { name: "Array of the tuple" }).selectOption({ index: 1 });
  await expect(page.getByText("device 3 alone has the whole array")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await axeFaults(page)).toEqual([]);
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
  expect(await axeFaults(page)).toEqual([]);
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
  // A link has it.
  await expect(page).toHaveURL(/[&]to=2/);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Data that goes to" })).toHaveValue("2");
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
  expect(await axeFaults(page)).toEqual([]);
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
  expect(await axeFaults(page)).toEqual([]);
});

const MANY = `HloModule many, replica_count=64
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
ENTRY main {
  i = u32[] replica-id()
  x = f32[] convert(i)
  s = f32[] all-reduce(x), to_apply=add
  y = f32[1] reshape(s)
  g = f32[64] all-gather(y), dimensions={0}
  ROOT b = f32[64] collective-broadcast(g), replica_groups={{5,4,3,2,1,0},{6,7},{8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63}}
}
`;

test("64 devices are all drawn, scrolled through and zoomed; each is asked what it holds at any step", async ({
  playground,
  page,
}) => {
  // Axe looks at hundreds of boxes and lines.
  test.slow();
  await playground.begin(MANY);
  await playground.tab("Devices").click();
  const section = page.getByRole("region", { name: "The run on its devices" });
  await section.getByRole("button", { name: "Run" }).click();
  const lines = page.locator(".exchange .exchange-line");
  await expect(lines).toHaveCount(64);
  await expect(page.locator(".exchange text.shard-number")).toHaveCount(128);
  await page.getByRole("combobox", { name: "Data that goes to" }).selectOption("Device 40");
  await expect(lines).toHaveCount(64);
  await page.getByRole("button", { name: "Larger rows" }).click();
  const scroll = page.getByRole("region", { name: "Members, and what goes between them" });
  const heights = await scroll.evaluate((box) => [box.clientHeight, box.scrollHeight]);
  expect(heights[0]).toBeLessThan(heights[1] ?? 0);
  expect(await axeFaults(page)).toEqual([]);

  // Back to the first step, by keyboard: nobody holds anything. Then to where device 40 has its number.
  const step = section.getByRole("slider", { name: "Step" });
  await step.focus();
  await page.keyboard.press("Home");
  const cells = page.locator(".device-cell");
  await expect(cells.first()).toContainText("0 arrays");
  await page.keyboard.press("End");
  await expect(cells.first()).toContainText("has ended");
  await section.getByRole("button", { name: "Back to the exchange" }).click();
  await cells.nth(63).click();
  await expect(page.getByRole("heading", { name: "What device 63 holds" })).toBeVisible();
  // A link has the device and the step.
  await step.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/moment=1&holder=63/);
  await page.reload();
  await expect(section.locator(".device-step .mono").first()).toHaveText("1 of 635");
  await expect(page.getByRole("heading", { name: "What device 63 holds" })).toBeVisible();

  // A broadcast comes from the first of its group.
  const list = page.getByRole("combobox", { name: "Exchange" });
  const broadcast = list.locator("option", { hasText: "collective-broadcast" }).first();
  await list.selectOption((await broadcast.getAttribute("value")) ?? "");
  await expect(lines.first().locator("title")).toHaveText(/^5 → /);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axeFaults(page)).toEqual([]);
});

const SHARDY = `module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<4x4xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) -> tensor<5x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<5x4xf32>, tensor<4x4xf32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
}
`;

test("shardings of StableHLO are drawn, Shardy's too: what is replicated, and what is padding", async ({
  playground,
  page,
}) => {
  await playground.begin(SHARDY);
  await playground.tab("Devices").click();
  const chosen = page.getByRole("combobox", { name: "Instruction" });
  await chosen.selectOption({ index: 0 });
  await expect(page.locator(".shards text")).toHaveText(["0, 1", "2, 3"]);
  await expect(page.getByText("held by 2 devices each")).toBeVisible();
  await expect(page.getByText("padding, which is no part of the array")).toBeVisible();
  await chosen.selectOption({ index: 1 });
  await expect(page.locator(".shards text")).toHaveText(["0", "1", "2", "3"]);
});

test("of shardings the first that cuts an array is shown", async ({ playground, page }) => {
  await playground.begin(`HloModule m, num_partitions=2
ENTRY e {
  step = s32[] parameter(0), sharding={replicated}
  x = f32[4] parameter(1), sharding={devices=[2]<=[2]}
  ROOT y = f32[4] negate(x)
}
`);
  await playground.tab("Devices").click();
  const part = page.getByRole("region", { name: "Shardings" });
  await expect(part.getByRole("combobox", { name: "Instruction" })).toHaveValue("e/x");
  await expect(part.locator(".shards text")).toHaveText(["0", "1"]);
});

test("a program of one device leads to an example of several, which begins in this view", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY e {\n  ROOT x = f32[2] parameter(0)\n}\n");
  await playground.tab("Devices").click();
  await page.getByRole("button", { name: "Open an example" }).click();
  const example = page.getByRole("button", { name: /^Four devices/ });
  await expect(example).toBeFocused();
  await expect(example).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Exchange" })).toBeVisible();
  await expect(playground.tab("Devices")).toHaveAttribute("aria-selected", "true");
});
