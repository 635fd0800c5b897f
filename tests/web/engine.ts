/**
 * The engine for the page's tests: the built one, in the test's own thread. To a page, every link
 * to it is a worker of its own.
 */
import { handleOf, keepsRun } from "../../wasm/calls";
import type { EngineApi } from "../../wasm/engine_api";
import type { EngineCallOptions, EngineLink } from "../../web/src/app/engine_link";
import { loadEngine } from "../wasm/setup";

export const engine = await loadEngine();

type Method = keyof EngineApi;

/** Whether a worker never comes back from a call. */
export type Hangs = (method: Method, args: readonly unknown[]) => boolean;

/** Entries of the longest list in an answer; typed arrays are no lists of entries. */
function longestListIn(value: unknown): number {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce<number>((most, v) => Math.max(most, longestListIn(v)), own);
}

/**
 * A worker: messages are copied, it knows only the runs that it made, and a cancel terminates it
 * with all of them.
 */
export class TestLink implements EngineLink {
  readonly calls: { method: Method; args: readonly unknown[] }[] = [];
  /** Entries of the longest list that an answer had. */
  longestList = 0;
  readonly #runs = new Set<number>();
  readonly #underWay = new Set<(error: Error) => void>();

  constructor(public hangs: Hangs = () => false) {}

  async call<M extends Method>(
    method: M,
    args: Parameters<EngineApi[M]>,
    options: EngineCallOptions = {},
  ): Promise<ReturnType<EngineApi[M]>> {
    this.calls.push({ method, args });
    if (this.hangs(method, args)) return this.#never(options);
    const run = handleOf(method, args);
    if (run !== 0 && !this.#runs.has(run)) throw new Error(`run ${run} is not of this worker`);
    const answers = engine[method] as (...args: unknown[]) => ReturnType<EngineApi[M]>;
    const answer = structuredClone(answers(...structuredClone(args)));
    this.longestList = Math.max(this.longestList, longestListIn(answer));
    if (keepsRun(method)) this.#runs.add((answer as ReturnType<EngineApi["run"]>).handle);
    if (method === "release") this.#runs.delete(run);
    return answer;
  }

  /** A call that ends with its signal, its timeout or its worker. */
  #never({ signal, timeout }: EngineCallOptions): Promise<never> {
    return new Promise((_, reject) => {
      const fail = (name: string): void => reject(new DOMException(name, name));
      signal?.addEventListener("abort", () => fail("AbortError"));
      if (timeout !== undefined) setTimeout(() => fail("TimeoutError"), timeout);
      this.#underWay.add(reject);
    });
  }

  get busy(): boolean {
    return this.#underWay.size > 0;
  }

  cancel(): void {
    for (const reject of this.#underWay) reject(new DOMException("cancelled", "AbortError"));
    for (const run of this.#runs) engine.release(run);
    this.#underWay.clear();
    this.#runs.clear();
  }
}
