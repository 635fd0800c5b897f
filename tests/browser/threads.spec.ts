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

/** Products that take some ten seconds, a piece of a millisecond after the other. */
const LONG = `add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
body { s = (s32[], f32[1024,1024]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  x = f32[1024,1024] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
  y = f32[1024,1024] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (s32[], f32[1024,1024]) tuple(j, y) }
cond { s = (s32[], f32[1024,1024]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(1000)  ROOT p = pred[] compare(i, n), direction=LT }
ENTRY e { x = f32[1024,1024] parameter(0)  z = s32[] constant(0)
  t = (s32[], f32[1024,1024]) tuple(z, x)
  ROOT w = (s32[], f32[1024,1024]) while(t), condition=cond, body=body }
`;
/** One of them. */
const SHORT = `ENTRY e { x = f32[1024,1024] parameter(0)
  ROOT y = f32[1024,1024] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0} }
`;

/** Opens a page whose runs have threads. */
async function beginThreaded(playground: Playground, program: string): Promise<void> {
  await playground.begin(program);
  const cores = await playground.page.evaluate(() => navigator.hardwareConcurrency);
  test.skip(cores < 2, "one core");
  await playground.tab("Values").click();
}

/** Runs a program that threads share, and sees that they did; on a busy machine not in the first run. */
async function sharedRun(playground: Playground): Promise<void> {
  await playground.write(SHORT);
  await expect(async () => {
    await playground.page.keyboard.press("ControlOrMeta+Enter");
    await expect(playground.status).toContainText(/Ran \d.* on \d+ threads/, { timeout: 2000 });
  }).toPass();
  await expect(playground.page.locator(".run-plan summary")).toContainText(/on \d+ threads/);
}

test("a run of several threads is cancelled at once, and says how many they were", async ({
  playground,
  page,
}) => {
  await beginThreaded(playground, LONG);
  await page.keyboard.press("ControlOrMeta+Enter");
  const cancel = page.getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  await page.waitForTimeout(1000);
  const start = Date.now();
  await cancel.click();
  await expect(cancel).toBeHidden();
  expect(Date.now() - start).toBeLessThan(1500);
  await sharedRun(playground);
  // One thread, without a word of it.
  await playground.settings();
  await page.getByRole("combobox", { name: "Threads" }).selectOption("one");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.status).toContainText(/Ran \d/);
  await expect(playground.status).not.toContainText("threads");
});

test("the limits of time and steps end a run of several threads", async ({ playground, page }) => {
  await beginThreaded(playground, LONG);
  await playground.settings();
  const set = async (name: string, value: string): Promise<void> => {
    await playground.settings();
    const field = page.getByRole("spinbutton", { name });
    await field.fill(value);
    await field.press("Tab");
  };
  const faults = page.locator(".run-faults");
  // Longer than the small build is given, which has no threads.
  await set("Time limit (s)", "1.5");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(faults).toContainText("stopped after the time limit");
  await set("Time limit (s)", "10");
  await set("Step limit", "20");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(faults).toContainText("stopped after the limit of 20 steps");
  await set("Step limit", "0");
  await sharedRun(playground);
});

test("a thread that dies ends the run with a message, and the next run has another", async ({
  playground,
  page,
}) => {
  // In the first job of a thread, as a trap would.
  let deaths = 0;
  await page.context().route(/engine_threads-.*\.mjs$/, async (route) => {
    const response = await route.fetch();
    const call = "wasmTable.get(callee)(argument)";
    const text = await response.text();
    expect(text).toContain(call);
    const body = text.replace(call, `{ if (deathWanted()) throw Error("unreachable"); ${call} }`);
    const once = `const deathWanted = () => {
      const asked = new XMLHttpRequest(); asked.open("GET", "/death-wanted", false); asked.send();
      return asked.responseText === "yes"; };\n`;
    await route.fulfill({ response, body: once + body });
  });
  await page.context().route("**/death-wanted", async (route) => {
    const headers = { "Cross-Origin-Resource-Policy": "same-origin" };
    await route.fulfill({ body: deaths++ === 0 ? "yes" : "no", headers });
  });
  await beginThreaded(playground, LONG);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator(".run-faults")).toContainText("a thread of the run was interrupted");
  expect(deaths).toBeGreaterThan(0);
  expect(playground.faults.some((fault) => fault.includes("A thread of the engine failed"))).toBe(
    true,
  );
  playground.faults.length = 0;
  await sharedRun(playground);
});
