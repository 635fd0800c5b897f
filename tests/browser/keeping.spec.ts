import { deflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, openSettings, test } from "./page";

const PROGRAM = "ENTRY main {\n  ROOT x = f32[2] parameter(0)\n}\n";

/** Where the cursor is: the text of its line, before the mark. */
async function cursorLine(page: Page): Promise<string> {
  return (await page.locator(".left .cm-activeLine").textContent()) ?? "";
}

const link = (program: object): string =>
  `#1/${deflateRawSync(JSON.stringify(program)).toString("base64url")}`;

/** The database opens five seconds late; with a name, only while the tab's storage has it. */
async function openLate(page: Page, onlyWith = ""): Promise<void> {
  await page.addInitScript((name) => {
    if (name && !sessionStorage.getItem(name)) return;
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name, version) => {
      const late = new EventTarget() as IDBOpenDBRequest;
      setTimeout(() => {
        const request = open(name, version);
        Object.defineProperty(late, "result", { get: () => request.result });
        request.onupgradeneeded = (event) => late.onupgradeneeded?.(event);
        request.onsuccess = (event) => late.onsuccess?.(event);
      }, 5000);
      return late;
    };
  }, onlyWith);
}

test("what is typed is there after a reload, however soon it comes", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await page.locator(".cm-line", { hasText: "ROOT" }).click();
  await page.keyboard.press("End");
  // Never a pause of 0.7 s, in which the address would follow.
  for (let i = 0; i < 20; i++) await page.keyboard.press("x", { delay: 100 });
  await page.reload();
  await expect(playground.editor).toContainText(`parameter(0)${"x".repeat(20)}`);
  expect(await cursorLine(page)).toContain("ROOT x");
  // The cursor is where it was: behind the last key.
  await playground.editor.focus();
  await page.keyboard.type("y");
  await page.reload();
  await expect(playground.editor).toContainText(`${"x".repeat(20)}y`);
  // Opening the page again is nothing that can be undone.
  await playground.editor.focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(playground.editor).toContainText(`${"x".repeat(20)}y`);
});

test("typing over a character and moving on at once is kept", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  await page.waitForTimeout(1000);
  await page.locator(".cm-line", { hasText: "ROOT" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.insertText("Q");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(600);
  await page.reload();
  await expect(playground.editor).toContainText("QOOT x");
});

test("Back after an example brings the text back, and forward the example", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await page.keyboard.insertText("// mine");
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: /Tiling, figure 1/ }).click();
  await expect(playground.editor).toContainText("figure_1");
  await page.goBack();
  await expect(playground.editor).toContainText("// mine");
  await expect(playground.editor).not.toContainText("figure_1");
  await page.goForward();
  await expect(playground.editor).toContainText("figure_1");
});

test("the bare address brings the last work back, and offers to start without it", async ({
  playground,
  page,
  context,
}) => {
  await playground.begin(PROGRAM);
  // Until the new program is known, the fields are those of the one before.
  await expect(playground.status).toContainText("1 instruction, 1 computation");
  await page.getByRole("textbox", { name: "Value of x" }).fill("{4,5}");
  await playground.settings();
  await page.getByRole("spinbutton", { name: "Seed" }).fill("7");
  await page.getByRole("spinbutton", { name: "Seed" }).press("Tab");
  await page.waitForTimeout(600);
  const address = page.url().replace(/#.*/, "");
  await page.close();
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.locator(".left .cm-content")).toContainText("ROOT x");
  await expect(other.getByRole("textbox", { name: "Value of x" })).toHaveValue("{4,5}");
  await openSettings(other);
  await expect(other.getByRole("spinbutton", { name: "Seed" })).toHaveValue("7");
  await expect(other.getByText("Your last program has been restored.")).toBeVisible();
  await other.getByRole("button", { name: "Start without it" }).click();
  await expect(other.locator(".left .cm-content")).toContainText("padded_mlp");
  await other.goBack();
  await expect(other.locator(".left .cm-content")).toContainText("ROOT x");
});

test("two tabs never write over each other", async ({ playground, page, context }) => {
  await playground.begin(PROGRAM);
  await page.waitForTimeout(600);
  const second = await context.newPage();
  await second.goto(page.url().replace(/#.*/, ""));
  await expect(second.getByText(/This is a copy of your last program/)).toBeVisible();
  await second.locator(".left .cm-content").click();
  await second.keyboard.press("ControlOrMeta+End");
  await second.keyboard.insertText("// second");
  await expect(second.locator(".left .cm-content")).toContainText("// second");
  await second.waitForTimeout(600);
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("// first");
  await expect(playground.editor).toContainText("// first");
  await Promise.all([page.reload(), second.reload()]);
  await expect(playground.editor).toContainText("// first");
  await expect(playground.editor).not.toContainText("// second");
  await expect(second.locator(".left .cm-content")).toContainText("// second");
});

/** What this page saves in the database from now on is lost with it. */
async function loseSaves(page: Page): Promise<void> {
  await page.evaluate(() => {
    IDBTransaction.prototype.commit = IDBTransaction.prototype.abort;
  });
}

test("a page that is left keeps its text though another page's transaction is in the way", async ({
  playground,
  page,
  context,
}) => {
  await playground.begin(PROGRAM);
  await page.waitForTimeout(600);
  await loseSaves(page);
  await page.keyboard.insertText("// before a reload");
  await page.reload();
  await expect(playground.editor).toContainText("// before a reload");
  await loseSaves(page);
  await page.keyboard.press("ControlOrMeta+End");
  await playground.editor.click();
  await page.keyboard.insertText("// before the end");
  const address = page.url().replace(/#.*/, "");
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => context.pages().length).toBe(0);
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.locator(".left .cm-content")).toContainText("// before the end");
});

test("a copy that a page left behind never replaces what was written since", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await expect(playground.editor).toContainText("ROOT x");
  await page.waitForTimeout(600);
  const key = await page.evaluate(() => {
    const key = `hlo-playground/${history.state.work}`;
    const copy = { id: history.state.work, savedAt: 1, text: "old", cursor: 0, inputs: [] };
    localStorage.setItem(key, JSON.stringify({ ...copy, settings: {}, view: { params: {} } }));
    return key;
  });
  await loseSaves(page);
  await page.reload();
  await expect(playground.editor).toContainText("ROOT x");
  expect(await page.evaluate((key) => localStorage.getItem(key), key)).toBeNull();
});

test("the newest thirty works are kept", async ({ playground, page }) => {
  // What is old is deleted ten seconds after the start.
  await page.clock.install();
  await playground.begin(PROGRAM);
  await page.waitForTimeout(600);
  /** Adds so many old works; how many there are then, and the text of the one on the screen. */
  const works = (others: number): Promise<{ count: number; text: string }> =>
    page.evaluate(
      (others) =>
        new Promise((resolve) => {
          const request = indexedDB.open("hlo-playground");
          request.onsuccess = () => {
            const transaction = request.result.transaction(["works", "texts"], "readwrite");
            const texts = transaction.objectStore("texts");
            for (let i = 0; i < others; i++) {
              transaction.objectStore("works").put({ id: `old ${i}`, savedAt: i, inputs: [] });
              texts.put("old", `old ${i}`);
            }
            const count = texts.count();
            const text = texts.get(history.state.work);
            transaction.oncomplete = () => {
              request.result.close();
              resolve({ count: count.result, text: text.result });
            };
          };
        }),
      others,
    );
  expect((await works(40)).count).toBe(41);
  await page.clock.runFor(11_000);
  await expect.poll(async () => (await works(0)).count).toBe(30);
  expect((await works(0)).text).toBe(PROGRAM);
});

test("a reload finds its work though the history's entry has lost the name", async ({
  playground,
  page,
}) => {
  await playground.begin(PROGRAM);
  await expect.poll(() => page.url()).toContain("#1/");
  await page.keyboard.insertText("// newer than the address");
  await expect(playground.editor).toContainText("// newer");
  await page.evaluate(() => history.replaceState(null, "", location.href));
  await page.reload();
  await expect(playground.editor).toContainText("// newer than the address");
});

test("an address that was gone to just before a reload counts", async ({ playground, page }) => {
  await playground.begin(PROGRAM);
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    window.location.hash = "ex=morello-odd-even";
    window.location.reload();
  });
  await expect(page.locator("#layout-shape")).toHaveValue("morello: f32[2,16] [0, 1, 1 oe(8)]");
});

test("a reload waits for what it knows to be kept", async ({ playground, page }) => {
  await openLate(page, "late");
  await playground.begin(PROGRAM);
  await expect.poll(() => page.url()).toContain("#1/");
  await page.keyboard.insertText("// newer than the address");
  await page.evaluate(() => sessionStorage.setItem("late", "yes"));
  await page.reload();
  await expect(playground.editor).toContainText("// newer than the address");
});

test("a database that opens late takes over what the tab kept until then", async ({
  playground,
  page,
  context,
}) => {
  await openLate(page);
  await playground.begin(PROGRAM);
  await page.keyboard.insertText("// early");
  await page.reload();
  await expect(playground.editor).toContainText("// early");
  await expect(playground.status).toContainText("This browser keeps nothing for the page");
  await expect(playground.status).not.toContainText("This browser keeps nothing for the page");
  const second = await context.newPage();
  await second.goto(page.url().replace(/#.*/, ""));
  await expect(second.locator(".left .cm-content")).toContainText("// early");
  await expect(second.getByText(/This is a copy of your last program/)).toBeVisible();
});

test("a program too long for the address is kept, and the page says where", async ({
  playground,
  page,
}) => {
  await playground.open();
  await playground.ran();
  await playground.write(`${PROGRAM}// ${"long ".repeat(50_000)}`);
  await expect(playground.status).toContainText("Too long for the address: kept in this browser");
  await page.keyboard.insertText("END");
  await page.reload();
  await expect(playground.editor).toContainText("END");
  await playground.write(PROGRAM);
  await expect(playground.status).not.toContainText("Too long");
  await expect.poll(() => page.url()).toContain("#1/");
});

test("an .npy file that was chosen is still there", async ({ playground, page }) => {
  await playground.open();
  await playground.write("ENTRY e { ROOT x = f32[3] constant({1.5,2.5,3.5}) }");
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.tab("Values").click();
  await playground.values.getByRole("option", { name: /\bx\b/ }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save .npy" }).click();
  const path = await (await saving).path();
  await playground.write("ENTRY e { x = f32[3] parameter(0) ROOT y = f32[3] add(x, x) }");
  await page.locator(".file-button input").first().setInputFiles(path);
  await expect(page.getByRole("button", { name: "Remove the file" })).toBeVisible();
  await page.waitForTimeout(500);
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove the file" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await playground.ran();
  await expect(playground.values).toContainText("{3, 5, 7}");
});

test("without a database the tab keeps the program, and the page says so", async ({
  playground,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "indexedDB", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await playground.open();
  await playground.ran();
  await expect(playground.status).toContainText("This browser keeps nothing for the page");
  await playground.write(PROGRAM);
  await page.keyboard.insertText("// soon");
  await page.reload();
  await expect(playground.editor).toContainText("// soon");
});

test("a link asks for more than the usual limits: it is shown and does not run", async ({
  playground,
  page,
}) => {
  const src =
    "c { i = s32[] parameter(0)  ROOT t = pred[] constant(true) }\nb { ROOT i = s32[] parameter(0) }\nENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=c, body=b }";
  await playground.open(link({ src, timeLimit: 1e300, memoryLimit: 1e18 }));
  await expect(page.getByText(/asks for more time or memory/)).toBeVisible();
  await playground.settings();
  await expect(page.getByRole("spinbutton", { name: "Time limit (s)" })).toHaveValue("3600");
  await expect(page.getByRole("spinbutton", { name: "Memory limit (MiB)" })).toHaveValue("3500");
  await expect(page.getByRole("button", { name: "Cancel" })).toBeHidden();
  await page.reload();
  await expect(playground.editor).toContainText("while(z)");
  await expect(page.getByRole("button", { name: "Cancel" })).toBeHidden();
});

test("a link of a million spaces opens at once; what it names is text", async ({
  playground,
  page,
}) => {
  const src = `${" ".repeat(1_000_000)}\nENTRY e { ROOT x = f32[] constant(2) }`;
  const title = "<img src=x onerror=alert(1)>";
  const began = Date.now();
  await playground.open(
    `${link({ src })}&v=%25${"a".repeat(900)}&title=${encodeURIComponent(title)}`,
  );
  await playground.ran();
  expect(Date.now() - began).toBeLessThan(15_000);
  await expect(page).toHaveTitle(/<img src=x/);
  await expect(page.locator(".link-title")).toHaveText(title);
  await expect(page.locator("img[src=x]")).toHaveCount(0);
});

test("half a surrogate pair swallows nothing, in the editor, in inputs and in links", async ({
  playground,
  page,
}) => {
  const src = "// \ud800\nENTRY e {\n  x = s32[2] parameter(0)\n  ROOT y = s32[2] negate(x)\n}\n";
  await playground.open(link({ src, inputs: ["{1,2} // \udc00"] }));
  await expect(playground.status).toContainText("2 instructions");
  await playground.open(link({ src, inputs: ["{1,2}"] }));
  await playground.ran();
  await playground.tab("Values").click();
  await expect(playground.values).toContainText("{-1, -2}");
  await page.waitForTimeout(1000);
  await page.reload();
  await expect(playground.values).toContainText("{-1, -2}");
});

test("an example that comes late does not reset what is being set", async ({
  playground,
  page,
}) => {
  await playground.open("#ex=padded-mlp");
  await playground.ran();
  await page.route(/while-loop/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: /^A loop Newton/ }).click();
  await playground.settings();
  const limit = page.getByRole("spinbutton", { name: "Time limit (s)" });
  await limit.fill("3");
  await expect(playground.editor).toContainText("while_loop");
  await expect(limit).toHaveValue("3");
  await limit.press("Tab");
  await expect(limit).toHaveValue("3");
});
