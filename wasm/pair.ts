/**
 * Two builds of the engine as one: the small one, which a page loads first, knows HLO; the full one
 * is fetched when MLIR or a custom call is written, a tool is opened that only it has, or a run asks
 * for generated code.
 */
import { handleOf } from "./calls";
import type {
  ArrayOptions,
  DocumentRef,
  LocalEngine,
  ProgramText,
  RunOptions,
  ValueRef,
} from "./engine_api";

/**
 * What only the full build has of HLO: the functions of custom calls
 * (engine/ops/custom_calls/custom_calls.h). Those of annotations are in both builds, but any text
 * that contains `custom-call` goes to the full build.
 */
const FULL_WORDS = ["custom-call"];

/** Only the full build has functions of complex numbers: what may make some runs there. */
const COMPLEX_WORDS = ["c64", "c128", "complex", "fft"];

/** Handles of the full build's runs start here. */
export const FULL_HANDLES = 1 << 20;

function isDocument(text: unknown): text is DocumentRef {
  return typeof text === "object" && text !== null && "$document" in text;
}

/** Only the full build generates code, and knows other products and sums than the usual ones. */
function generatesCode(method: string, args: unknown[]): boolean {
  const options = method === "run" ? (args[1] as RunOptions | undefined) : undefined;
  const { products = "", multiplyAdd = "" } = options ?? {};
  return options?.generatesCode === true || products !== "" || multiplyAdd !== "";
}

function hasWord(small: LocalEngine, text: ProgramText | undefined, words: string[]): boolean {
  if (isDocument(text)) return words.some((word) => small.contains(text, word));
  return typeof text === "string" && words.some((word) => text.includes(word));
}

/** A word of what both builds read: rules, numbers of literals, and types (`#` are their sizes). */
const PLAIN =
  /^(?:random|uniform|normal|iota|zero|constant:.*|tensor<[^>]*>|[a-z]\w*#|[-+]?(?:[\d.]+(?:e[-+]?\d+)?|inf|nan)|true|false)?$/i;
/** Single elements written over, of which there may be many. */
const CELLS = /with\s*\[/;
/** Whatever its words are: a rule with arguments, a sum. */
const ONLY_FULL = /(?:iota|normal|random|zero)\s*\(|\d\s+[-+]/;
/** Arrays of other languages, which may be long: how they begin, and rows of numbers. */
const FOREIGN = /^\s*(?:\[|dense<|[a-z][\w.]*\s*\(\s*\[)/i;
const IN_BRACKETS = /[{([]|^\s*constant:/;
const ROWS = /[\w.][\s,]+(?:[-+.\d]|inf|nan|true|false)/i;
/** Longer ones are literals that somebody made by program. */
const LONGEST_EXPRESSION = 20_000;

/** Whether an input is written in a form that only the full build reads: an expression, or cells. */
function isExpression(spec: unknown): boolean {
  if (typeof spec !== "string") return false;
  if (CELLS.test(spec) || FOREIGN.test(spec)) return true;
  if (!IN_BRACKETS.test(spec) && ROWS.test(spec)) return true;
  if (spec.length > LONGEST_EXPRESSION) return false;
  if (ONLY_FULL.test(spec)) return true;
  const words = spec.replace(/\[[^[\]]*\]/g, "# ").split(/[\s{}(),]/);
  return !words.every((word) => PLAIN.test(word));
}

/** Whether an input of a run is one. */
function hasExpressions(method: string, args: unknown[]): boolean {
  if (method !== "run") return false;
  const { inputs, deviceInputs } = (args[1] ?? {}) as RunOptions;
  const all = [...(inputs ?? []), ...(deviceInputs ?? []).map(({ value }) => value)];
  return all.some(isExpression);
}

/** Calls of the full build about an array, which may be a value of a run of the small build. */
const ABOUT_ARRAYS = ["valueFigures", "valueHistogram", "valueTiles", "valueImage"];

/** An array of the small build that the full one has too: the last one that was asked about. */
interface SharedArray {
  key: string;
  value: number;
}

export class EnginePair {
  readonly #small: Promise<LocalEngine>;
  readonly #fetchFull: () => Promise<LocalEngine>;
  #full: Promise<LocalEngine> | null = null;
  /** The last text of a call, cached because several calls in a row are about the same one. */
  #asked = { text: "", isFull: false };
  /**
   * Open texts belong to the small build: which of them need the full build, and which it has too.
   */
  readonly #needs = new Map<number, boolean>();
  readonly #copied = new Set<number>();
  #shared: SharedArray | null = null;

  constructor(small: Promise<LocalEngine>, fetchFull: () => Promise<LocalEngine>) {
    this.#small = small;
    this.#fetchFull = fetchFull;
  }

  /** The build that answers a call. Rejects when it cannot be loaded; the next call tries again. */
  async engineFor(method: string, args: unknown[]): Promise<LocalEngine> {
    const small = await this.#small;
    if (["run", "release"].includes(method) && this.#shared && this.#full) {
      this.#forget(await this.#full);
    }
    if (["open", "edit", "close"].includes(method)) {
      this.#needs.delete(Number(args[0]));
      this.#copied.delete(Number(args[0]));
      return small;
    }
    const text = args[0] as ProgramText | undefined;
    const isSmall =
      small.has(method) &&
      handleOf(method, args) < FULL_HANDLES &&
      !generatesCode(method, args) &&
      !hasExpressions(method, args) &&
      !(method === "run" && hasWord(small, text, COMPLEX_WORDS)) &&
      !this.#needsFull(small, text);
    if (isSmall) return small;
    this.#full ??= this.#fetchFull().catch((error: unknown) => {
      this.#full = null;
      throw error;
    });
    const full = await this.#full;
    if (isDocument(text) && !this.#copied.has(text.$document)) {
      full.open(text.$document, small.text(text));
      this.#copied.add(text.$document);
    }
    const isAcross = ABOUT_ARRAYS.includes(method) && handleOf(method, args) < FULL_HANDLES;
    return isAcross ? this.#withArray(small, full, method) : full;
  }

  /** The full build with such a call on a value of the small one: the array goes across once, as a file. */
  #withArray(small: LocalEngine, full: LocalEngine, method: string): LocalEngine {
    const ask = full[method as keyof LocalEngine] as (...args: unknown[]) => unknown;
    const call = (ref: ValueRef, options: ArrayOptions, ...rest: unknown[]): unknown => {
      const key = JSON.stringify([ref, options.type]);
      if (this.#shared?.key !== key) {
        this.#forget(full);
        const bytes = small.valueNpy(ref);
        const value = bytes.length > 0 ? full.keepArray({ files: [{ bytes }] }, options) : 0;
        if (value === 0) return null;
        this.#shared = { key, value };
      }
      return ask({ value: this.#shared.value }, options, ...rest);
    };
    return Object.assign(Object.create(full), { [method]: call });
  }

  #forget(full: LocalEngine): void {
    if (this.#shared) full.release(this.#shared.value);
    this.#shared = null;
  }

  #needsFull(small: LocalEngine, text: ProgramText | undefined): boolean {
    if (isDocument(text)) {
      const known = this.#needs.get(text.$document);
      const needs = known ?? (hasWord(small, text, FULL_WORDS) || small.isMlir(text));
      this.#needs.set(text.$document, needs);
      return needs;
    }
    if (typeof text !== "string") return false;
    if (text !== this.#asked.text) {
      const isFull = hasWord(small, text, FULL_WORDS) || small.isMlir(text);
      this.#asked = { text, isFull };
    }
    return this.#asked.isFull;
  }
}
