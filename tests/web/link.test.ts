import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadProgram } from "../../web/src/app/actions";
import {
  encodeText,
  type LinkState,
  MAX_INFLATED,
  MAX_LINK,
  readLink,
  toBase64Url,
  writeLink,
} from "../../web/src/app/link";
import { SETTINGS } from "../../web/src/app/settings";
import { addressOf, copyLink, parseCell, showViewState } from "../../web/src/app/share";
import { findExample } from "../../web/src/examples";
import { makeApp } from "./mounted";
import { Random } from "./random";

function limitOf(key: string, which: "least" | "most"): number {
  const setting = SETTINGS.find((row) => row.key === key);
  return setting && "least" in setting ? setting[which] : Number.NaN;
}

function randomState(random: Random): LinkState {
  const params: Record<string, string> = {};
  for (let i = random.below(5); i > 0; i--) params[`k${i}`] = random.text(12);
  const state: LinkState = { params };
  if (random.below(2)) state.shape = random.text(20);
  if (random.below(4) === 0) {
    state.shape = random.pick(["f32[2]", "morello: f32[2] [0]", "cute: f32 2:1"]);
    if (random.below(2)) state.compare = random.text(10);
  }
  if (random.below(3) === 0) state.example = random.text(10);
  else {
    state.program = { src: random.text(200) };
    if (random.below(2)) state.program.inputs = [random.text(10), "", random.text(5)];
    if (random.below(2)) state.program.seed = random.below(1000);
    if (random.below(2)) state.program.timeLimit = 1 + random.below(60);
    if (random.below(3) === 0) state.program.multiplyAdd = "fused";
    if (random.below(3) === 0) state.program.threads = "one";
  }
  return state;
}

describe("the link codec", () => {
  it("gives back every state it wrote, in letters that survive", async () => {
    const random = new Random(7);
    for (let round = 0; round < 300; round++) {
      const state = randomState(random);
      const hash = await writeLink(state);
      expect(hash).toMatch(/^(#[A-Za-z0-9._~,:=&/%-]*)?$/);
      expect(await readLink(hash)).toEqual({ state, problem: null });
    }
  });

  it("never throws on any text", async () => {
    const random = new Random(11);
    for (let round = 0; round < 300; round++) {
      const prefix = random.pick([
        "",
        "#",
        "#1/",
        "#1/!",
        "#9/",
        "#shape=",
        "#ex=%",
        "#__proto__=",
      ]);
      const { state } = await readLink(prefix + random.text(60));
      expect(state.params).toBeTypeOf("object");
    }
  });

  it("refuses what inflates past the limit", async () => {
    const bomb = deflateRawSync(Buffer.alloc(MAX_INFLATED * 8, 32));
    const { state, problem } = await readLink(`#1/${toBase64Url(bomb)}&view=ops`);
    expect(problem).toBe("tooLarge");
    expect(state).toEqual({ params: { view: "ops" } });
  });

  it("names what is wrong with a link", async () => {
    const cases: [string, string][] = [
      ["#2/abcd", "version"],
      ["#1/%%%", "payload"],
      ["#1/AAAA", "payload"],
      [`#1/${toBase64Url(deflateRawSync('{"src":3}'))}`, "payload"],
      [`#1/${toBase64Url(deflateRawSync("[1,2"))}`, "payload"],
      [`#${"a".repeat(MAX_LINK + 1)}`, "tooLong"],
    ];
    for (const [hash, problem] of cases) {
      expect((await readLink(hash)).problem, hash.slice(0, 40)).toBe(problem);
    }
  });

  it("drops fields of the wrong kind", async () => {
    const json =
      '{"src":"x","inputs":[1,"iota"],"seed":"no","timeLimit":-1,"memoryLimit":1e400,"fillElided":"x"}';
    const { state } = await readLink(`#1/${toBase64Url(deflateRawSync(json))}`);
    expect(state.program).toEqual({ src: "x", inputs: ["", "iota"] });
  });

  it("allows no more than the page does", async () => {
    const read = async (fields: string) => {
      const json = `{"src":"x",${fields}}`;
      return (await readLink(`#1/${toBase64Url(deflateRawSync(json))}`)).state.program;
    };
    expect(await read('"timeLimit":1e300,"memoryLimit":1e18,"seed":1e300')).toEqual({
      src: "x",
      timeLimit: limitOf("timeLimit", "most"),
      memoryLimit: limitOf("memoryLimit", "most"),
      seed: limitOf("seed", "most"),
    });
    expect(await read('"timeLimit":0,"memoryLimit":1.5,"seed":1.5')).toEqual({
      src: "x",
      timeLimit: limitOf("timeLimit", "least"),
      memoryLimit: limitOf("memoryLimit", "least"),
      seed: 1,
    });
  });

  it("keeps half a surrogate pair in a program and its inputs", async () => {
    const program = { src: "a\ud800b", inputs: ["\udc00"] };
    expect((await readLink(await writeLink({ program, params: {} }))).state.program).toEqual(
      program,
    );
  });

  it("percent-encodes as UTF-8", () => {
    expect(encodeText("%dot.3 {√}")).toBe("%25dot.3%20%7B%E2%88%9A%7D");
    expect(encodeText("\ud800")).toBe("%EF%BF%BD");
  });
});

describe("the index in a link", () => {
  it("is read only when it is one", () => {
    expect(parseCell("3,5")).toEqual([3, 5]);
    for (const text of [undefined, "", "3,", "-1", "a", "1e3", "9".repeat(500)]) {
      expect(parseCell(text)).toBeNull();
    }
  });
});

describe("links of what is too large", () => {
  it("are not copied: those that are can be opened", async () => {
    const { app } = makeApp();
    const wide = "\u8a9e".repeat(1_000_000);
    loadProgram(app, { text: "ENTRY e {}", inputs: [{ text: wide, file: null }] });
    expect((await addressOf(app)).whole).toBe(false);
    loadProgram(app, { text: `// ${wide}`, inputs: [{ text: wide, file: null }] });
    await copyLink(app);
    expect(app.state.notice.value?.text).toBe("The program is too large for a link.");
  });
});

describe("links that were published", () => {
  const folder = join(__dirname, "../links");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    for (const line of lines.filter((text) => text && !text.startsWith("//"))) {
      const [hash = "", expected = ""] = line.split(/\s+=>\s+/);
      it(`${file}: ${hash.slice(0, 60)}`, async () => {
        const { state, problem } = await readLink(hash);
        expect(problem).toBeNull();
        const { shape, ...rest } = JSON.parse(expected) as LinkState;
        expect(state).toMatchObject(rest);
        if (shape !== undefined) {
          const { app } = makeApp();
          await showViewState(app, state);
          expect(app.state.typedShape.value).toBe(shape);
        }
        if (state.example !== undefined) expect(await findExample(state.example)).not.toBeNull();
      });
    }
  }
});
