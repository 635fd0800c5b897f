/** What the page asks of an engine in a worker. */
import type { EngineApi } from "../../../wasm/engine_api";

/** How long a call may take (milliseconds, once the worker is at it), and what gives it up. */
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
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
