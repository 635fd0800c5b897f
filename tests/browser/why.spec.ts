/** Where a NaN comes from: what a person does with the Why view. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "./page";

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
  // The lines of the chain, in the editor.
  await expect(page.locator(".left .cm-linked")).toHaveCount(3);
  expect((await new AxeBuilder({ page }).include(".why-view").analyze()).violations).toEqual([]);
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
