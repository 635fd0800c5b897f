/** The worker's side of EngineClient: one engine, calls in order of arrival. */
import type { DocumentCalls, EngineApi } from "./engine_api";
import { asError, BrokenEngineError } from "./guard";
import type { Given, Reply, Request, TextUpdate } from "./protocol";

type Served = EngineApi & DocumentCalls;

/** Returns the engine that answers a call. */
export type EngineOf = (method: string, args: unknown[]) => Promise<Served>;

/** How the engine says that a document which a call names is not open (engine/views/calls.cc). */
const UNKNOWN = "no such document";

/** The buffers of the typed arrays in a result: they are transferred, not copied. */
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
  const { message } = asError(thrown);
  return { id, ok: false, message, fatal, unknown: message.endsWith(UNKNOWN) };
}

/** Makes a text what it is now. */
async function bringUp(engineOf: EngineOf, { method, args }: TextUpdate): Promise<void> {
  const api = await engineOf(method, args);
  if (method === "open") api.open(...args);
  else if (!api.edit(...args)) throw new Error(UNKNOWN);
}

async function answer(engineOf: EngineOf, request: Request): Promise<Reply> {
  const { id, method, args, update } = request;
  try {
    if (update) await bringUp(engineOf, update);
    const api = await engineOf(method, args);
    const call = api[method as keyof Served] as (...a: unknown[]) => unknown;
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
    // An answer that cannot be sent must not prevent later ones.
    self.postMessage(failure(request.id, error));
  }
}

/** Makes this worker answer an EngineClient with the engine. */
export function serveEngine(engine: Promise<Served> | EngineOf): void {
  const engineOf = typeof engine === "function" ? engine : () => engine;
  let last: Promise<void> = Promise.resolve();
  self.onmessage = (event: MessageEvent<Request | Given>) => {
    const request = event.data;
    if ("wasmModule" in request) return;
    last = last.then(() => reply(engineOf, request));
  };
}
