/**
 * Checks that every regular expression of the page and of the API takes linear time on any text,
 * since links, files and pastes are untrusted. The expressions are found in the sources.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitSpec } from "../../web/src/page/InputsPane";

const root = join(__dirname, "../..");

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** A string, a template, a comment or a pattern begins here: the index behind it, and the pattern. */
function skip(text: string, at: number, before: string): [end: number, pattern: string] | null {
  const c = text[at];
  if (text.startsWith("//", at)) return [text.indexOf("\n", at), ""];
  if (text.startsWith("/*", at)) return [text.indexOf("*/", at) + 2, ""];
  if (c !== '"' && c !== "'" && c !== "/") return null;
  // A slash behind a value divides; in JSX it closes a tag.
  if (c === "/" && (/[\w)\]}"'<]$/.test(before) || />|\s/.test(text[at + 1] ?? ""))) return null;
  let inClass = false;
  let end = at + 1;
  for (; end < text.length && text[end] !== "\n"; end++) {
    if (text[end] === "\\") end++;
    else if (c === "/" && text[end] === "[") inClass = true;
    else if (c === "/" && text[end] === "]") inClass = false;
    else if (text[end] === c && !inClass) break;
  }
  if (text[end] !== c) return null;
  const flags = /^[dgimsuvy]*/.exec(text.slice(end + 1, end + 9))?.[0] ?? "";
  return [
    end + 1 + (c === "/" ? flags.length : 0),
    c === "/" ? text.slice(at, end + 1) + flags : "",
  ];
}

function patternsOf(text: string): string[] {
  const found: string[] = [];
  let before = "";
  for (let at = 0; at < text.length; ) {
    const skipped = skip(text, at, before);
    if (skipped) {
      if (skipped[1]) found.push(skipped[1]);
      at = Math.max(at + 1, skipped[0]);
      before = "x";
      continue;
    }
    if (!/\s/.test(text[at] ?? "")) before = (before + text[at]).slice(-8);
    if (before.endsWith("return")) before = "return;";
    at++;
  }
  return found;
}

/** Adversarial inputs: long runs of one character and of pairs, with a different end. */
const UNITS = [
  " ",
  "\n",
  "a",
  "A",
  "_",
  "0",
  "1,",
  "a ",
  "a.",
  " =",
  "%",
  "%a ",
  "/",
  "\\",
  "=",
  "&",
  "-",
  "*",
];
const PAIRS = [
  "[",
  "(",
  "{",
  "<",
  "[1,",
  "(1,",
  "{a",
  "1x",
  "u{1F600}",
  "\ud800",
  "//\n",
  "a[",
  "a[]",
  "a[]{",
];
const LENGTH = 60_000;
/** A linear pattern takes milliseconds, one of quadratic time ten seconds and more. */
const FAR_TOO_LONG_MS = 3000;
const STARTS = ["", "x", "f32[", "f32[1]{", "morello: ", "tensor<", "(", "#1/", "6x8[", "%a"];

describe("patterns", () => {
  const all = new Map<string, string>();
  const files = [...sources("web/src"), ...sources("wasm")];
  for (const file of files) {
    for (const pattern of patternsOf(readFileSync(join(root, file), "utf8")))
      all.set(pattern, file);
  }

  it("are found in the sources, and none is put together from a text", () => {
    expect(all.size).toBeGreaterThan(20);
    expect([...all.keys()]).toContain("/^(-1|\\d{1,3}),(-1|\\d{1,3})$/");
    for (const file of files) {
      expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(/new RegExp\(|\bRegExp\(/);
    }
  });

  for (const [pattern, file] of all) {
    it(`${file}: ${pattern} takes long texts`, () => {
      const end = pattern.lastIndexOf("/");
      const flags = pattern.slice(end + 1).replace("y", "");
      const form = new RegExp(pattern.slice(1, end), flags.includes("g") ? flags : `${flags}g`);
      for (const unit of new Set([...UNITS, ...PAIRS, ...pattern.slice(1, end)])) {
        const run = unit.repeat(LENGTH / unit.length);
        for (const start of STARTS) {
          const began = performance.now();
          `${start}${run}\u0001`.replace(form, "");
          const took = performance.now() - began;
          expect(took, `${start}${unit}${unit}${unit}...`).toBeLessThan(FAR_TOO_LONG_MS);
        }
      }
    }, 60_000);
  }
});

describe("what reads foreign texts", () => {
  it("takes any of them at once", () => {
    for (const unit of [...UNITS, ...PAIRS]) {
      for (const start of STARTS) {
        const text = start + unit.repeat(LENGTH / unit.length);
        splitSpec(text);
      }
    }
  });
});
