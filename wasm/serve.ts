/** The worker's side of EngineClient: one engine, calls in order of arrival. */
import type { EngineApi } from "./engine_api";
import { asError, BrokenEngineError } from "./guard";
import type { Reply, Request } from "./protocol";

/** Finds who answers a call. */
export type EngineOf = (method: string, args: unknown[]) => Promise<EngineApi>;

/** The buffers of the typed arrays in a result: they are handed over, not copied. */
function transferables(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const add = (v: unknown): void => {
    if (ArrayBuffer.isView(v) && v.buffer instanceof ArrayBuffer) buffers.add(v.buffer);
  };
  add(value);
  if (value && typeof value === "object") for (const field of Object.values(value)) add(field);
  return [...buffers];
}

function failure(id: number, thrown: unknown): Reply {
  const fatal =
    thrown instanceof BrokenEngineError ||
    thrown instanceof WebAssembly.RuntimeError ||
    !(thrown instanceof Error);
  return { id, ok: false, message: asError(thrown).message, fatal };
}

async function answer(engineOf: EngineOf, request: Request): Promise<Reply> {
  const { id, method, args } = request;
  try {
    const api = await engineOf(method, args);
    const call = api[method as keyof EngineApi] as (...a: unknown[]) => unknown;
    return { id, ok: true, value: call.apply(api, args) };
  } catch (error) {
    return failure(id, error);
  }
}

async function reply(engineOf: EngineOf, request: Request): Promise<void> {
  const made = await answer(engineOf, request);
  try {
    self.postMessage(made, { transfer: made.ok ? transferables(made.value) : [] });
  } catch (error) {
    // An answer that cannot be sent must not end those behind it.
    self.postMessage(failure(request.id, error));
  }
}

/** Makes this worker answer an EngineClient with the engine. */
export function serveEngine(engine: Promise<EngineApi> | EngineOf): void {
  const engineOf = typeof engine === "function" ? engine : () => engine;
  let last: Promise<void> = Promise.resolve();
  self.onmessage = (event: MessageEvent<Request>) => {
    last = last.then(() => reply(engineOf, event.data));
  };
}
