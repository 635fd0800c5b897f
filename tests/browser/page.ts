/** Actions and queries of the browser tests on the page. */
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Locator, type Page } from "@playwright/test";

interface Token {
  text: string;
  /** Its middle on the page. */
  x: number;
  y: number;
}

/** Opens the settings of a run, unless they are open. */
export async function openSettings(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Settings/ });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
}

/**
 * What axe finds wrong on the page, or in the part of it that a selector names: a line for each rule.
 * Its other mode opens a page beside this one, which takes the keys away for a moment and is for frames
 * of other sites, of which there are none here. Only of violations it need say where they are: the
 * places of all that is right take it most of its time.
 */
export async function axeFaults(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });
  const { violations } = await (within ? axe.include(within) : axe).analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

export class Playground {
  readonly page: Page;
  readonly faults: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(message.text());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.hostname !== "localhost" && url.protocol.startsWith("http")) {
        this.faults.push(`asked ${url.href}`);
      }
    });
  }

  async open(hash = ""): Promise<void> {
    await this.page.goto(`./${hash}`);
    await expect(this.editor).toBeAttached();
  }

  /** Opens the page and, once its first program has run, writes another. */
  async begin(program: string): Promise<void> {
    await this.open();
    await this.ran();
    await this.write(program);
  }

  get editor(): Locator {
    return this.page.locator(".left .cm-content");
  }
  get status(): Locator {
    return this.page.getByRole("contentinfo");
  }
  get values(): Locator {
    return this.page.getByRole("listbox", { name: "Values of the last run" });
  }
  grid(id: "logical" | "memory" | "value"): Locator {
    return this.page.locator(`#${id}-grid`);
  }
  /** A grid with what belongs to it: scrollbars, and the foot with its buttons. */
  frame(id: "logical" | "memory" | "value"): Locator {
    return this.page.locator(".grid-frame", { has: this.grid(id) });
  }
  foot(id: "logical" | "memory" | "value"): Locator {
    return this.frame(id).locator(".grid-foot");
  }
  /** Brings a picture of a layout to a scale. */
  async scale(
    id: "logical" | "memory",
    name: "Whole" | "Tiles" | "Cells" | "Bytes",
  ): Promise<void> {
    const button = this.foot(id).getByRole("button", { name, exact: true });
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
  }
  /** Opens the settings of a run. */
  async settings(): Promise<void> {
    await openSettings(this.page);
  }

  tab(name: string): Locator {
    return this.page.getByRole("tab", { name });
  }

  /** What the selected cell of a grid says. */
  async spoken(id: "logical" | "memory" | "value"): Promise<string> {
    return (await this.grid(id).getByRole("gridcell").textContent()) ?? "";
  }

  /** The parts of a text on the page that are coloured as a kind of token, from the first on. */
  private async tokens(kind: string, within: string): Promise<Token[]> {
    return this.page.locator(`${within} .cm-content`).evaluate((content, kind) => {
      const ranges = [...(CSS.highlights.get(`tok-${kind}`) ?? [])].filter(({ startContainer }) =>
        content.contains(startContainer),
      );
      const tokens = ranges.map(({ startContainer, startOffset, endOffset }) => {
        const range = document.createRange();
        range.setStart(startContainer, startOffset);
        range.setEnd(startContainer, endOffset);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2, text: range.toString() };
      });
      return tokens.sort((a, b) => a.y - b.y || a.x - b.x);
    }, kind);
  }
  async coloured(kind: string, within = ".left"): Promise<string[]> {
    return (await this.tokens(kind, within)).map(({ text }) => text);
  }
  /** Moves the mouse over the first token of a kind that is such a text. */
  async hover(kind: string, text: string): Promise<void> {
    await expect.poll(() => this.coloured(kind)).toContain(text);
    const token = (await this.tokens(kind, ".left")).find((each) => each.text === text);
    if (token) await this.page.mouse.move(token.x, token.y, { steps: 2 });
  }

  /** Replaces the program as a person would who pastes another. */
  async write(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  async text(): Promise<string> {
    const lines = await this.page.locator(".left .cm-line").allTextContents();
    return lines.join("\n");
  }

  /** Performs a command by its name in the palette, once it can be performed. */
  async command(name: string): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+k");
    const palette = this.page.getByRole("dialog", { name: "Commands" });
    await palette.getByRole("combobox").fill(name);
    await expect(palette.getByRole("option").first()).toContainText(name);
    await this.page.keyboard.press("Enter");
  }

  async ran(): Promise<void> {
    await expect(this.status).toContainText(/Ran \d/);
  }
}

export const test = base.extend<{ playground: Playground }>({
  playground: async ({ page }, use) => {
    const playground = new Playground(page);
    await use(playground);
    expect(playground.faults, "errors, or requests to elsewhere").toEqual([]);
  },
});

export { expect };
