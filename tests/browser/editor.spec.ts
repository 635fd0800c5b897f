/** What the editor does for a person: it folds, finds, completes, explains, and says what is no HLO. */
import { expect, test } from "./page";

const DUMP = `HloModule dump

half {
  x = f32[4]{0} parameter(0), metadata={op_name="jit(f)/half" source_line=3}
  ROOT y = f32[4]{0} negate(x), metadata={op_name="jit(f)/neg" source_line=4}
}

ENTRY main {
  p = f32[4]{0} parameter(0), metadata={op_name="p of main"}
  ROOT c = f32[4]{0} call(p), to_apply=half, metadata={op_name="jit(f)/call"}
}
`;

test("metadata and computations fold; a fold says what it hides, and stays", async ({
  playground,
  page,
}) => {
  await playground.begin(DUMP);
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Fold metadata" }).click();
  const folds = page.locator(".left .cm-fold");
  await expect(folds).toHaveText(["metadata", "metadata", "metadata", "metadata"]);
  await expect(playground.editor).not.toContainText("jit(f)");
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitem", { name: "Fold all computations but the entry" }).click();
  await expect(folds.first()).toHaveText("2 lines");
  await expect(playground.editor).toContainText("ENTRY main");
  // The next program comes folded too, and the next page.
  await playground.write(DUMP.replace("HloModule dump", "HloModule next"));
  await expect(folds).toHaveText(["metadata", "metadata", "metadata", "metadata"]);
  await folds.first().click();
  await expect(playground.editor).toContainText("jit(f)/half");
  await page.keyboard.press("Alt+e");
  await expect(page.locator(".left .cm-activeLine")).toContainText("ENTRY main");
  await page.reload();
  await expect(folds).toHaveCount(4);
});

test("a fold in a line opens for a click, the cursor, a match and a key, and moves with its text", async ({
  playground,
  page,
}) => {
  const rows = Array.from({ length: 3_000 }, (_, i) => {
    const operand = i === 0 ? "p" : `v${i - 1}`;
    return `  v${i} = f32[4]{0} add(${operand}, p), metadata={op_name="jit(f)/add.${i}"}`;
  });
  const literal = Array(3).fill("{1,\n 2}").join(", ");
  const text = `HloModule long\n\nENTRY main {\n  p = f32[4]{0} parameter(0)\n${rows.join("\n")}\n  lines = s32[3,2] constant({${literal}}), metadata={op_name="a\n b"}\n  ROOT r = f32[4]{0} negate(v2999), metadata={op_name="last"}\n}\n`;
  await playground.begin(text);
  await page.keyboard.press("ControlOrMeta+Home");
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Fold metadata" }).click();
  const folds = page.locator(".left .cm-fold");
  await expect(folds.first()).toHaveText("metadata");
  await expect(playground.editor).not.toContainText("jit(f)");
  // Only what is near the screen is drawn; the end is folded too, and what goes over two lines.
  expect(await folds.count()).toBeLessThan(300);
  await playground.editor.click();
  await page.keyboard.press("ControlOrMeta+End");
  await expect(playground.editor).toContainText("ROOT r");
  await expect(playground.editor).not.toContainText("last");
  await expect(playground.editor).not.toContainText("op_name");
  await page.keyboard.press("ControlOrMeta+Home");
  await expect(playground.editor).not.toContainText("jit(f)");
  await folds.nth(1).click();
  await expect(playground.editor).toContainText("jit(f)/add.1");
  await expect(playground.editor).not.toContainText("jit(f)/add.0");
  // A line above: what is open stays open, the others folded.
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("// a remark");
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("jit(f)/add.1");
  await expect(playground.editor).not.toContainText("jit(f)/add.0");
  // The cursor does not stand in what nobody sees.
  await page.locator(".left .cm-line", { hasText: "v4 =" }).click({ position: { x: 60, y: 5 } });
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(playground.editor).toContainText("jit(f)/add.4");
  await page.locator(".left .cm-line", { hasText: "v6 =" }).click({ position: { x: 60, y: 5 } });
  await page.keyboard.press("ControlOrMeta+Shift+BracketRight");
  await expect(playground.editor).toContainText("jit(f)/add.6");
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type('add.8"');
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("jit(f)/add.8");
  await page.keyboard.press("Escape");
  await expect(playground.editor).not.toContainText("jit(f)/add.9");
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitem", { name: "Unfold everything" }).click();
  await expect(folds).toHaveCount(0);
  await expect(playground.editor).toContainText("jit(f)/add.9");
});

test("long lines wrap when one likes, and stay so", async ({ playground, page }) => {
  await playground.begin(`// ${"word ".repeat(200)}\n${DUMP}`);
  const isWide = (): Promise<boolean> =>
    page.locator(".left .cm-scroller").evaluate((node) => node.scrollWidth > node.clientWidth + 2);
  expect(await isWide()).toBe(true);
  await page.keyboard.press("Alt+z");
  await expect.poll(isWide).toBe(false);
  await page.reload();
  await expect(playground.editor).toContainText("HloModule dump");
  await expect.poll(isWide).toBe(false);
});

test("finds and replaces by keys, in words of the page", async ({ playground, page }) => {
  await playground.begin(DUMP);
  await page.keyboard.press("ControlOrMeta+f");
  const box = page.getByRole("textbox", { name: "Find", exact: true });
  await expect(box).toBeFocused();
  await page.keyboard.type("op_name");
  const panel = page.getByRole("search", { name: "Find and replace" });
  await expect(panel.getByRole("status")).toHaveText("4 matches");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("status")).toHaveText("2 of 4");
  await page.keyboard.press("Shift+Enter");
  await expect(panel.getByRole("status")).toHaveText("1 of 4");
  await panel.getByRole("button", { name: "Regular expression" }).click();
  await box.fill("[");
  await expect(panel.getByRole("status")).toHaveText("Not a regular expression");
  await box.fill("jit.f.");
  await page.getByRole("textbox", { name: "Replace with" }).fill("jit(g)");
  await panel.getByRole("button", { name: "Replace all" }).click();
  await expect(playground.editor).toContainText("jit(g)/half");
  await box.focus();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(playground.editor).toBeFocused();
});

test("an opcode is completed to a form that is filled in by Tab", async ({ playground, page }) => {
  await playground.begin("ENTRY e {\n  a = f32[2] parameter(0)\n  b = pred[2] ");
  await page.keyboard.type("compar");
  await expect(page.locator(".cm-tooltip-autocomplete li").first()).toContainText("compare");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await expect(playground.editor).toContainText("compare(lhs, rhs), direction=EQ");
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await page.keyboard.type("LT");
  await expect(playground.editor).toContainText("compare(a, a), direction=LT");
});

test("a word that is wrong has a red line below, whatever its own colour", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY e {\n  a = f32[2] parameter(0)\n  ROOT b = f32[2] negate(aa)\n}\n");
  const mark = page.locator(".left .cm-lintRange-error");
  await expect(mark).toHaveText("aa");
  const png = (await mark.screenshot()).toString("base64");
  const red = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    let count = 0;
    for (let i = 0; i + 2 < pixels.length; i += 4) {
      const [r = 0, g = 0, b = 0] = pixels.slice(i, i + 3);
      if (r > g + 60 && r > b + 60) ++count;
    }
    return count;
  }, png);
  expect(red).toBeGreaterThan(10);
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`what an opcode does is said beside the list, not on it, ${width} wide`, async ({
    playground,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await playground.open();
    await playground.ran();
    if (width < 800) await playground.tab("Program").click();
    await playground.write("ENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] ");
    await page.keyboard.type("reduce");
    const list = page.locator(".cm-tooltip-autocomplete");
    await expect(list.getByRole("option").first()).toContainText("reduce");
    // A list that has just opened takes no keys.
    await page.waitForTimeout(150);
    await page.keyboard.press("ArrowDown");
    const said = page.locator(".cm-completionInfo");
    await expect(said).toContainText("Rounds");
    await expect(said).toBeInViewport({ ratio: 1 });
    // What is clipped is not what one points at.
    await expect
      .poll(() =>
        said.evaluate((box) => {
          const { x, y, width, height } = box.getBoundingClientRect();
          const root = box.getRootNode() as Document | ShadowRoot;
          return box.contains(root.elementFromPoint(x + width / 2, y + height / 2));
        }),
      )
      .toBe(true);
    const [inner, outer] = [
      await said.boundingBox(),
      await list.getByRole("listbox").boundingBox(),
    ];
    if (!inner || !outer) throw new Error("not on the page");
    const beside = inner.x >= outer.x + outer.width || inner.x + inner.width <= outer.x;
    const apart = inner.y >= outer.y + outer.height || inner.y + inner.height <= outer.y;
    expect(beside || apart).toBe(true);
  });
}

test("Tab takes what is offered, and indents where nothing is", async ({ playground, page }) => {
  await playground.begin("ENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2] ");
  await page.keyboard.type("negat");
  await expect(page.locator(".cm-tooltip-autocomplete li").first()).toContainText("negate");
  // The list takes no key in the moment in which it appears.
  await page.waitForTimeout(150);
  await page.keyboard.press("Tab");
  await expect(page.locator(".left .cm-activeLine")).toHaveText(/^ {2}b = f32\[2\] negate\(/);
  await expect(page.locator(".cm-tooltip-autocomplete")).toHaveCount(0);
});

test("an opcode comes before its other names", async ({ playground, page }) => {
  await playground.begin("ENTRY e {\n  a = f32[2] ");
  await page.keyboard.type("par");
  const options = page.locator(".cm-tooltip-autocomplete").getByRole("option");
  await expect(options.first()).toContainText("parameter");
  await expect(options.filter({ hasText: "HLO: parameter" })).toHaveCount(1);
  await expect(options.first()).not.toContainText("HLO:");
});

test("hover says the value of the last run", async ({ playground, page }) => {
  await playground.begin(
    "ENTRY e {\n  abc = s32[2] constant({1, 2})\n  ROOT sum = s32[2] add(abc, abc)\n}\n",
  );
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values).toContainText("{2, 4}");
  await playground.hover("name", "sum");
  await expect(page.locator(".cm-doc-value")).toContainText("s32[2]{0}{2, 4}");
});

test("what is no HLO is said to be that, with what to do", async ({ playground, page }) => {
  await playground.begin("import jax\nimport jax.numpy as jnp\n\ndef f(x):\n  return jnp.sin(x)\n");
  const notice = page.locator(".notice");
  await expect(notice).toContainText("This is not HLO: it looks like Python.");
  await expect(notice).toContainText("jax.jit(f).lower(x).as_text()");
  await expect(playground.status).toContainText("1 error");
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect(playground.editor).toContainText("HloModule padded_mlp");
  await expect(playground.status).toContainText("No problems");
});

test("the Undo of a paste is there as long as the text is what was pasted", async ({
  playground,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.begin("ENTRY e {\n  ROOT before = s32[] constant(1)\n}\n");
  const pasted = "ENTRY e {\n  ROOT pasted = s32[] constant(2)\n}\n";
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  const undo = page.locator(".notice").getByRole("button", { name: "Undo" });
  const paste = async (): Promise<void> => {
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+v");
    await expect(page.locator(".notice")).toContainText("Recognised as HLO text");
  };
  await paste();
  await undo.click();
  await expect(playground.editor).toContainText("before");
  await playground.editor.click();
  await paste();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("// keep me\n");
  await expect(undo).toHaveCount(0);
  await expect(playground.editor).toContainText("// keep me");
});

test("an empty editor invites", async ({ playground, page }) => {
  await playground.begin("x");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await expect(page.locator(".cm-placeholder")).toContainText("Paste a program");
  await expect(playground.status).toContainText("No problems");
});

test("an array that is chosen becomes an input, where the person says", async ({
  playground,
  page,
}) => {
  await playground.begin(
    "ENTRY e {\n  a = s32[2] parameter(0)\n  b = s32[2] parameter(1)\n  ROOT d = s32[2] subtract(a, b)\n}\n",
  );
  const head = `${"{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }".padEnd(117)}\n`;
  const data = Buffer.alloc(8);
  data.writeInt32LE(7, 0);
  data.writeInt32LE(9, 4);
  const buffer = Buffer.concat([
    Buffer.from("934e554d5059010076", "hex"),
    Buffer.from([0]),
    Buffer.from(head),
    data,
  ]);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await (await chooser).setFiles({ name: "seven.npy", mimeType: "", buffer });
  await expect(page.getByRole("dialog", { name: "Which input is seven.npy?" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: /^a/ }).click();
  await page.getByRole("textbox", { name: "Value of b" }).fill("{1, 2}");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(playground.values).toContainText("{6, 7}");
});

test("a file that is dropped is the program, once, and can be taken back", async ({
  playground,
  page,
}) => {
  await playground.begin(DUMP);
  const dropped = "ENTRY e {\n  ROOT only = s32[] constant(5)\n}";
  const dataTransfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "five.hlo"));
    return data;
  }, dropped);
  await playground.editor.dispatchEvent("drop", { dataTransfer });
  await expect(page.locator(".notice")).toContainText("Opened five.hlo.");
  expect(await playground.text()).toBe(dropped);
  await page.waitForTimeout(300);
  expect(await playground.text()).toBe(dropped);
  await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await expect(playground.editor).toContainText("HloModule dump");
});

test("an example in the place of one's own text can be taken back", async ({
  playground,
  page,
}) => {
  const own = "ENTRY e {\n  ROOT own = s32[] constant(5)\n}\n";
  await playground.begin(own);
  const notice = page.locator(".notice");
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: /^Four devices/ }).click();
  await expect(notice).toContainText("Opened Four devices");
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect(playground.editor).toContainText("ROOT own");
  await expect(notice).toHaveCount(0);
});

test("a first visit: a sentence, and examples by what one learns", async ({ playground, page }) => {
  await playground.open();
  await playground.ran();
  const sentence = page.getByText("Run XLA programs (HLO or StableHLO) in your browser");
  await expect(sentence).toBeVisible();
  await page.getByRole("button", { name: "Examples" }).click();
  await expect(page.getByRole("dialog").getByRole("heading", { level: 3 })).toHaveCount(6);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^A loop\b(?! without)/ })
    .click();
  await expect(playground.editor).toContainText("while(");
  await page.getByRole("button", { name: "Hide this line" }).click();
  await page.reload();
  await playground.ran();
  await expect(sentence).toHaveCount(0);
});

test("an editor that cannot be fetched keeps nothing else from working, and comes when it is asked for again", async ({
  playground,
  page,
}) => {
  await page.route(/\/editor-[^/]*\.js$/, (route) => route.abort());
  await page.goto("./");
  await playground.ran();
  const left = page.locator(".left");
  await expect(left).toContainText("This part of the page could not be fetched.");
  // Of a page that was updated meanwhile it never comes.
  await left.getByRole("button", { name: "Try again" }).click();
  await expect(left).toContainText("the page may have been updated");
  await page.unroute(/\/editor-[^/]*\.js$/);
  await left.getByRole("button", { name: "Reload the page" }).click();
  await expect(playground.editor).toContainText("HloModule padded_mlp");
  // The browser says itself what it could not fetch.
  expect(playground.faults.splice(0).every((fault) => fault.includes("ERR_FAILED"))).toBe(true);
});

test("what is pasted over itself, or deleted and brought back, keeps its colours and marks", async ({
  playground,
  page,
}) => {
  const text = "ENTRY main {\n  ROOT x = f32[2] paramter(0)\n}\n";
  await playground.begin(text);
  const isMarked = async (): Promise<void> => {
    await expect.poll(() => playground.coloured("keyword")).toContain("ENTRY");
    await expect(page.locator(".left .cm-lintRange-error")).toHaveText("paramter");
  };
  await isMarked();
  await playground.write(text);
  await isMarked();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("ControlOrMeta+z");
  await isMarked();
});

test("Enter after an open bracket indents, and the bracket that closes it goes back", async ({
  playground,
  page,
}) => {
  await playground.begin("ENTRY main {\n  ROOT x = f32[2] parameter(0)\n}\n");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type("ENTRY e {\nROOT x = f32[2] parameter(0)\n");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  expect(await playground.text()).toBe("ENTRY e {\n  ROOT x = f32[2] parameter(0)\n}");
  // What is pasted stays as it is.
  const pasted = "ENTRY e {\n      ROOT x = f32[2] parameter(0)\n    }\n";
  await playground.write(pasted);
  expect(await playground.text()).toBe(pasted);
});

test("a brace typed on a line of its own is the one that the editor wrote ahead", async ({
  playground,
  page,
}) => {
  await playground.begin(" ");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ENTRY e {");
  await expect.poll(() => playground.text()).toBe("ENTRY e {}");
  await page.keyboard.press("Enter");
  await page.keyboard.type("ROOT x = f32[] constant(1)");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  const before = await playground.text();
  // So long that the brace is a change of its own to undo.
  await page.waitForTimeout(700);
  await page.keyboard.type("}");
  await expect
    .poll(() => playground.text())
    .toMatch(/^ENTRY e \{\n {2}ROOT x = f32\[\] constant\(1\)\n\}$/);
  await page.keyboard.press("ControlOrMeta+z");
  await expect.poll(() => playground.text()).toBe(before);
});
