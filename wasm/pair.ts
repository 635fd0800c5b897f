/**
 * Two builds of the engine as one: the small one, which a page loads first, knows HLO; the full one
 * is fetched when MLIR or a custom call is written, or a tool is opened that only it has.
 */
import type { LocalEngine } from "./engine_api";
import { handleOf } from "./handles";

/**
 * What only the full build has of HLO: the functions of custom calls (engine/ops/custom_calls.h).
 * Those that only mark places are in both, but a text is asked for no more than the word.
 */
const FULL_WORDS = ["custom-call"];

/** Handles of the full build's runs start here. */
export const FULL_HANDLES = 1 << 20;

export class EnginePair {
  readonly #small: Promise<LocalEngine>;
  readonly #fetchFull: () => Promise<LocalEngine>;
  #full: Promise<LocalEngine> | null = null;
  /** The last text that was asked about: several calls in a row are about one. */
  #asked = { text: "", isFull: false };

  constructor(small: Promise<LocalEngine>, fetchFull: () => Promise<LocalEngine>) {
    this.#small = small;
    this.#fetchFull = fetchFull;
  }

  /** The build that answers a call. Rejects when it cannot be loaded; the next call tries again. */
  async engineFor(method: string, args: unknown[]): Promise<LocalEngine> {
    const small = await this.#small;
    const isSmall =
      small.has(method) &&
      handleOf(method, args) < FULL_HANDLES &&
      !this.#needsFull(small, args[0]);
    if (isSmall) return small;
    this.#full ??= this.#fetchFull().catch((error: unknown) => {
      this.#full = null;
      throw error;
    });
    return this.#full;
  }

  #needsFull(small: LocalEngine, text: unknown): boolean {
    if (typeof text !== "string") return false;
    if (text !== this.#asked.text) {
      const isFull = FULL_WORDS.some((word) => text.includes(word)) || small.isMlir(text);
      this.#asked = { text, isFull };
    }
    return this.#asked.isFull;
  }
}
