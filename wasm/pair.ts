/**
 * Two builds of the engine as one: the small one, which a page loads first, knows HLO; the full one
 * is fetched when MLIR is written or a tool is opened that only it has.
 */
import type { EngineApi, LocalEngine, ValueRef } from "./engine_api";

/** Handles of the full build's runs start here. */
export const FULL_HANDLES = 1 << 20;

/** The calls of wasm/full_bindings.cc. */
const FULL_CALLS: ReadonlySet<string> = new Set<keyof EngineApi>([
  "convert",
  "pythonScript",
  "layoutNotations",
  "layoutConversions",
  "compareLayouts",
  "film",
  "filmPlaces",
  "filmWindow",
  "relayout",
  "layoutAdvice",
  "memoryReport",
  "programMemory",
]);
/** The calls that are about a program's text. */
const TEXT_CALLS: ReadonlySet<string> = new Set<keyof EngineApi>([
  "check",
  "tokens",
  "outline",
  "place",
  "complete",
  "format",
  "run",
]);

/** The run that a call is about, 0 if it is about none. */
function handleOf(method: string, args: unknown[]): number {
  if (method === "release") return Number(args[0]);
  const ref = args[0] as Partial<ValueRef> | null | undefined;
  return typeof ref === "object" ? (ref?.handle ?? 0) : 0;
}

export class EnginePair {
  readonly #small: Promise<LocalEngine>;
  readonly #fetchFull: () => Promise<LocalEngine>;
  #full: Promise<LocalEngine> | null = null;

  constructor(small: Promise<LocalEngine>, fetchFull: () => Promise<LocalEngine>) {
    this.#small = small;
    this.#fetchFull = fetchFull;
  }

  /** The build that answers a call. Rejects when it cannot be loaded; the next call tries again. */
  async engineFor(method: string, args: unknown[]): Promise<LocalEngine> {
    const small = await this.#small;
    const isFull =
      FULL_CALLS.has(method) ||
      handleOf(method, args) >= FULL_HANDLES ||
      (TEXT_CALLS.has(method) && small.isMlir(String(args[0])));
    if (!isFull) return small;
    this.#full ??= this.#fetchFull().catch((error: unknown) => {
      this.#full = null;
      throw error;
    });
    return this.#full;
  }
}
