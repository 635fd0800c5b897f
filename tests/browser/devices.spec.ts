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
