// The page as `make serve` serves it is isolated, so that long runs have threads; on other hosts it has one.
import type { Page } from "@playwright/test";
import { expect, type Playground, test } from "./page";

/** StableHLO, which the full build runs: a product that threads share. */
const PROGRAM = `func.func @main(%x: tensor<400x500xf32>, %y: tensor<500x300xf32>) -> tensor<400x300xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<400x500xf32>, tensor<500x300xf32>) -> tensor<400x300xf32>
  %1 = stablehlo.sine %0 : tensor<400x300xf32>
  return %1 : tensor<400x300xf32>
}
`;

/** Runs the program and shows its values. */
async function shown(playground: Playground): Promise<void> {
  await playground.page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await expect(playground.values).toContainText("400,300");
}

/** The names of the engine's files that are fetched from now on. */
function fetched(page: Page): string[] {
  const names: string[] = [];
  page.context().on("request", (request) => {
    const name = new URL(request.url()).pathname.split("/").pop() ?? "";
    if (name.startsWith("engine_")) names.push(name);
  });
  return names;
}

test("an isolated page runs with threads, another one with one, and the values are the same", async ({
  playground,
  page,
}) => {
  test.skip((await page.evaluate(() => navigator.hardwareConcurrency)) < 2, "one core");
  const names = fetched(page);
  await playground.begin(PROGRAM);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await shown(playground);
  const values = await playground.values.innerText();
  expect(names.some((name) => /^engine_threads-.*\.wasm$/.test(name))).toBe(true);
  // The script of a thread: it is fetched when a program is first run.
  await expect
    .poll(() => names.some((name) => name.startsWith("engine_threads.worker")))
    .toBe(true);
  expect(names.some((name) => name.startsWith("engine_full"))).toBe(false);

  // A host that sends no such headers.
  await page.route("**/*", async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    for (const name of Object.keys(headers))
      if (name.startsWith("cross-origin-")) delete headers[name];
    await route.fulfill({ response, headers });
  });
  names.length = 0;
  await playground.begin(PROGRAM);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await shown(playground);
  expect(await playground.values.innerText()).toBe(values);
  expect(names.some((name) => name.startsWith("engine_threads"))).toBe(false);
});
