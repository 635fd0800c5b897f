/** What the page asks of an engine in a worker. */
import type { EngineApi } from "../../../wasm/engine_api";

/**
 * Options of a call: its timeout (milliseconds of execution by the worker) and its abort signal.
 */
export interface EngineCallOptions {
  signal?: AbortSignal;
  timeout?: number;
}

/** What the page needs of an engine in a worker; `EngineClient` is one, tests have another. */
export interface EngineLink {
  call<M extends keyof EngineApi>(
    method: M,
    args: Parameters<EngineApi[M]>,
    options?: EngineCallOptions,
  ): Promise<ReturnType<EngineApi[M]>>;
  cancel(): void;
  /** It has calls that are not answered yet. */
  readonly busy?: boolean;
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
