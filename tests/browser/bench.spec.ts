/** How fast is this machine? From the playground to figures, and a link of them for somebody else. */
import { axeFaults, expect, test } from "./page";

const LINK =
  "?bench#1/on=Firefox+150%2C+Linux&at=2026-11-25&matmul256=1.3_32.3_0.717_31.4_a_&exp4M=7.2_137_5.6_23.2_m_&tiny100=0.14_0.002__8.1__";

test("from the palette to a measurement, cancelled, and a link of what there is", async ({
  playground,
  page,
  context,
}) => {
  test.setTimeout(90_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open();
  await playground.ran();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("benchmark");
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const bench = await opened;
  await expect(bench.getByRole("heading", { level: 1 })).toHaveText(/Benchmark/);
  await expect(bench.getByText("Nothing has been measured yet.")).toBeVisible();
  await bench.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
  });
  // With keys alone: to the button, and on.
  await bench.keyboard.press("Tab");
  await expect(bench.getByRole("link", { name: "To the playground" })).toBeFocused();
  await bench.keyboard.press("Tab");
  await expect(bench.getByRole("button", { name: "Measure" })).toBeFocused();
  await bench.keyboard.press("Tab");
  await bench.keyboard.press("Space");
  await expect(bench.getByRole("checkbox", { name: "Quick" })).toBeChecked();
  await bench.keyboard.press("Shift+Tab");
  await bench.keyboard.press("Enter");
  await expect(bench.getByRole("progressbar")).toBeVisible();
  const row = bench.getByRole("row", { name: /Product of matrices, 256 × 256/ });
  await expect(row.getByRole("cell").first()).toHaveText(/^[\d.]+$/, { timeout: 60_000 });
  await bench.keyboard.press("Escape");
  await expect(bench.getByRole("status")).toHaveText(/Cancelled after \d+ of 30 cases/);
  await expect(bench.getByRole("progressbar")).toHaveCount(0);
  await expect(bench.getByRole("button", { name: "Measure again" })).toBeFocused();
  expect(await bench.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks)).toEqual(
    [],
  );

  const cells = await row.getByRole("cell").allTextContents();
  await bench.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect(bench.getByRole("status")).toHaveText(/Table copied/);
  const table = await bench.evaluate(() => navigator.clipboard.readText());
  expect(table).toContain(`| Product of matrices, 256 × 256 | ${cells.join(" | ")} |`);
  await bench.getByRole("button", { name: "Copy link" }).click();
  await expect(bench.getByRole("status")).toHaveText(/Link copied/);
  const link = await bench.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByText(/These are somebody's results/)).toBeVisible();
  const same = other.getByRole("row", { name: /Product of matrices, 256 × 256/ });
  await expect(same.getByRole("cell").first()).toHaveText(cells[0] ?? "");
});

test("a link of results shows them and runs nothing", async ({ page, playground }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`./${LINK}`);
  await expect(page.getByText(/somebody's results, from a link: Firefox 150, Linux/)).toBeVisible();
  await expect(page.getByRole("row", { name: /^exp\(x\)/ })).toContainText("137");
  await expect(page.getByRole("img", { name: /Bars of 3 cases/ })).toBeVisible();
  await page.waitForTimeout(500);
  expect(asked.filter((url) => /\.wasm|worker|measurer/.test(url))).toEqual([]);
  expect(page.workers()).toEqual([]);
  // Another link in the same tab is another table.
  await page.evaluate(() => {
    window.location.hash = "#1/on=elsewhere&exp4M=5_100_4_20_m_";
  });
  await expect(page.getByText(/from a link: elsewhere/)).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(2);
  expect(playground.faults).toEqual([]);
});

test("help leads there", async ({ page, playground, context }) => {
  await playground.open();
  await page.keyboard.press("F1");
  const opened = context.waitForEvent("page");
  await page.getByRole("dialog").getByRole("link", { name: "the benchmark" }).click();
  await expect((await opened).getByRole("button", { name: "Measure" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [390, 1440, 2560]) {
    test(`axe finds nothing, and nothing is cut off: ${colorScheme}, ${width} wide`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`./${LINK}`);
      await expect(page.getByRole("img", { name: /Bars of 3 cases/ })).toBeVisible();
      expect(await axeFaults(page)).toEqual([]);
      const isWide = await page.evaluate(() => {
        const bench = document.querySelector(".bench");
        return bench !== null && bench.scrollWidth > bench.clientWidth;
      });
      expect(isWide).toBe(false);
    });
  }
}
