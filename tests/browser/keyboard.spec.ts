import { expect, test } from "./page";

test("a whole journey without a mouse", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  // The palette finds an example.
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("figure 1");
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("figure_1");
  // Into the editor and out of it.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.type("go to the editor");
  await page.keyboard.press("Enter");
  await expect(playground.editor).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(playground.editor).toBeFocused();
  await page.keyboard.press("ControlOrMeta+z");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(playground.editor).not.toBeFocused();
  // Who comes with Tab goes with Tab, and the text stays as it is.
  const text = await playground.text();
  await page.keyboard.press("Shift+Tab");
  await expect(playground.editor).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(playground.editor).not.toBeFocused();
  expect(await playground.text()).toBe(text);
  // The bar between the panes.
  const bar = page.getByRole("separator", { name: "Height of the inputs" });
  await bar.focus();
  const before = Number(await bar.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowUp");
  expect(Number(await bar.getAttribute("aria-valuenow"))).toBe(before - 2);
  // Tabs by arrows, the list by arrows.
  await playground.tab("Layout").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(playground.tab("Values")).toBeFocused();
  await playground.values.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await expect(playground.values.getByRole("option", { selected: true })).toContainText("row");
  // Help lists the keys.
  await playground.tab("Values").focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Help" })).toContainText("Ctrl+Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("definition, uses, rename, next problem", async ({ playground, page }) => {
  await playground.open();
  await playground.write(
    "ENTRY main {\n  alpha = f32[2] parameter(0)\n  beta = f32[2] add(alpha, alpha)\n  ROOT c = f32[2] multiply(beta, alpha)\n}\n",
  );
  await page.locator(".cm-line", { hasText: "ROOT c" }).click();
  await page.keyboard.press("End");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
  await page.waitForTimeout(300);
  await page.keyboard.press("F12");
  await expect(page.locator(".cm-activeLine")).toContainText("alpha = f32[2]");
  await page.keyboard.press("Shift+F12");
  await expect(page.getByText(/Use 1 of 3/)).toBeVisible();
  await page.waitForTimeout(300);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "New name" }).fill("omega");
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("multiply(beta, omega)");
  expect(await playground.text()).not.toContain("alpha");
  // A name that is taken, or none, is refused where it is asked for.
  const renamed = await playground.text();
  for (const [name, why] of [
    ["beta", "The program has another beta already."],
    ["row sum!", "A name has letters, digits, _, - and ."],
  ] as const) {
    await page.keyboard.press("F2");
    await expect(page.getByRole("textbox", { name: "New name" })).toHaveValue("omega");
    await expect(page.getByRole("dialog").getByText("New name", { exact: true })).toBeVisible();
    await page.keyboard.type(name);
    // While it is typed, and still when it is asked for.
    const alert = page.getByRole("dialog").getByRole("alert");
    await expect(alert).toContainText(why);
    await page.keyboard.press("Enter");
    await expect(alert).toContainText(why);
    await page.keyboard.press("Escape");
    expect(await playground.text()).toBe(renamed);
  }
  await playground.write("ENTRY main {\n  ROOT x = f32[2] zzz(y)\n}\n");
  await expect(playground.status).toContainText(/error/);
  await page.keyboard.press("F8");
  await expect(page.locator(".cm-tooltip, .cm-diagnostic").first()).toBeVisible();
});

test("a key right after the Escape that closes a dialog opens the next one", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
  // Both keys wait, and then follow each other at once.
  const busy = page.evaluate(() => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  });
  await Promise.all([busy, page.keyboard.press("Escape"), page.keyboard.press("F1")]);
  await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible();
  await page.waitForTimeout(200);
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

test("the palette opens the settings by what is in them, and Escape closes them", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("combobox").fill("seed");
  await expect(palette.getByRole("option").first()).toContainText("Settings");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("spinbutton", { name: "Seed" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("spinbutton", { name: "Seed" })).toBeHidden();
  await expect(page.getByRole("button", { name: /^Settings/ })).toBeFocused();
});

test("what is typed into the palette before its list has arrived is kept, Enter too", async ({
  page,
  playground,
}) => {
  let arrive = (): void => {};
  const wait = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/PaletteList/, async (route) => {
    await wait;
    await route.continue();
  });
  await playground.open();
  await playground.ran();
  const before = await playground.text();
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("help");
  await page.keyboard.press("Enter");
  arrive();
  await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible();
  expect(await playground.text()).toBe(before);
});

test("every view is in one menu, whether its tab is in sight or not", async ({
  page,
  playground,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await playground.open();
  const button = page.getByRole("button", { name: "All views" });
  await button.focus();
  await page.keyboard.press("ArrowDown");
  const items = page.getByRole("menu", { name: "All views" }).getByRole("menuitemcheckbox");
  expect(await items.count()).toBe(await page.locator(".views [role=tab]").count());
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Devices" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Devices" })).toBeInViewport();
  await expect(button).toBeFocused();
});

test("what goes away when it has done its work leaves the focus in its view", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await playground.tab("Debug").click();
  await page.getByRole("button", { name: "Start", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Step 0 of/)).toBeVisible();
  const panel = page.getByRole("tabpanel");
  await expect(panel).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(panel.locator(":focus")).toHaveCount(1);
  await playground.tab("Graph").click();
  const close = page.getByRole("button", { name: "Close all" });
  await page.getByRole("button", { name: "Open all" }).focus();
  await page.keyboard.press("Enter");
  await expect(close).toBeVisible();
  await close.focus();
  await page.keyboard.press("Enter");
  await expect(close).toHaveCount(0);
  await expect(panel).toBeFocused();
});

test("what does not fit on a telephone ends in an ellipsis", async ({ playground, page }) => {
  await playground.begin("HloModule m\nENTRY e {\n  ROOT x = f32[4] iota(), iota_dimension=0\n}\n");
  await playground.tab("Compare").click();
  await page.getByRole("button", { name: "Passes of a compiler" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const header = page.locator(".compare-totals .mono");
  await expect(header).toContainText("is_scheduled");
  const edge = await header.evaluate((dd) => dd.getBoundingClientRect().right);
  expect(edge).toBeLessThanOrEqual(390);
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog", { name: "Commands" }).getByRole("combobox");
  await expect(palette).toHaveCSS("text-overflow", "ellipsis");
});

test("what a key does elsewhere is told: the view that it shows, the problem that it goes to", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY main {\n  ROOT x = f32[2] zzz(y)\n}\n");
  const told = page.locator(".notices[role=status]");
  await page.keyboard.press("Alt+2");
  await expect(told).toHaveText("Layout");
  await expect(playground.editor).toBeFocused();
  await expect(playground.status).toContainText(/error/);
  await page.keyboard.press("F8");
  await expect(told).toHaveText(/^Line 2: .*zzz/);
});

test("Settings closes when the focus leaves it", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  await playground.settings();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("spinbutton").last().focus();
  for (let i = 0; i < 4 && (await settings.count()) > 0; i++) await page.keyboard.press("Tab");
  await expect(settings).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Settings/ })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});
