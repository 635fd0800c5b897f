/** The worker's side of EngineClient: one engine, calls in order of arrival. */
import type { EngineApi } from "./engine_api";
import type { Reply, Request } from "./protocol";

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

async function answer(engine: Promise<EngineApi>, request: Request): Promise<Reply> {
  const { id, method, args } = request;
  try {
    const api = await engine;
    const call = api[method as keyof EngineApi] as (...a: unknown[]) => unknown;
    return { id, ok: true, value: call.apply(api, args) };
  } catch (error) {
    return {
      id,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
      fatal: error instanceof WebAssembly.RuntimeError,
    };
  }
}

/** Makes this worker answer an EngineClient with the engine. */
export function serveEngine(engine: Promise<EngineApi>): void {
  self.onmessage = async (event: MessageEvent<Request>) => {
    const reply = await answer(engine, event.data);
    self.postMessage(reply, { transfer: reply.ok ? transferables(reply.value) : [] });
  };
}
