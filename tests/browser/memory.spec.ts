import { expect, test } from "./page";

const PROGRAM = `HloModule m
ENTRY main {
  p = f32[1024,2]{1,0:T(8,128)} parameter(0)
  s = f32[1024,2]{1,0:T(8,128)} sine(p)
  c = f32[1024,2]{1,0:T(8,128)} cosine(s)
  ROOT r = f32[1024,2]{1,0:T(8,128)} negate(c)
}
`;

test("buffers are seen over time, the peak is explained, and what would lower it is told", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await playground.tab("Memory").click();
  const picture = page.getByRole("img", { name: /^Buffers over time: 4 of them/ });
  await expect(picture).toBeVisible();
  await expect(picture.locator(".buffer-parameter, .buffer-output")).toHaveCount(2);
  await expect(picture.locator(".padding").first()).toBeAttached();
  await expect(page.locator(".memory-explained")).toContainText("of the peak");
  const savings = page.getByRole("region", { name: "What would lower the peak" });
  for (const what of ["donate them", "write over an operand", "padded less"]) {
    await expect(savings).toContainText(what);
  }
  // By keyboard: what makes up the peak leads to its line.
  await page.locator(".memory-explained button").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".left .cm-activeLine").first()).toContainText("f32[1024,2]");
});

test("names and shapes of buffers are on one line, and whole in their titles", async ({
  playground,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const name = "%dot_general_of_a_layer.10";
  const shape = "f32[3616,192,16]{2,1,0:T(8,128)}";
  await playground.begin(`HloModule m
ENTRY main {
  p = ${shape} parameter(0)
  ROOT ${name} = ${shape} negate(p)
}`);
  await playground.tab("Memory").click();
  const row = page.locator(".memory-buffers tbody tr", { hasText: "dot_general" });
  const buttons = row.getByRole("button");
  await expect(buttons).toHaveCount(2);
  await expect(buttons.first()).toHaveAttribute("title", new RegExp(`^${name.slice(1)}|^${name}`));
  await expect(buttons.last()).toHaveAttribute("title", /^f32.3616,192,16.{2,1,0:T/);
  for (const height of await buttons.evaluateAll((all) => all.map((one) => one.clientHeight))) {
    expect(height).toBeLessThan(30);
  }
});

test("a position that the program no longer has is its last one", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  await playground.tab("Memory").click();
  const cursor = page.getByRole("slider", { name: /Position/ });
  await cursor.focus();
  await page.keyboard.press("End");
  await expect(page.getByText("at position 3")).toBeVisible();
  await playground.write(PROGRAM.replace(/ {2}c = .*\n/, "").replace("(c)", "(s)"));
  await expect(page.getByText("at position 2")).toBeVisible();
  await expect(cursor).toHaveAttribute("aria-valuetext", /^position 2: [1-9]/);
  await expect(page.getByRole("heading", { name: /^[1-9] buffers/ })).toBeVisible();
});
