/**
 * An engine in a worker. Calls return promises; `cancel()` ends the worker whatever it is doing,
 * rejects what was pending with an AbortError, and starts a fresh one.
 */
import type { EngineApi } from "./engine_api";
import type { Reply, Request } from "./protocol";

export interface CallOptions {
  /** Cancels like `cancel()` when it fires while the call is pending. */
  signal?: AbortSignal;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

function abortError(): DOMException {
  return new DOMException("The call was cancelled.", "AbortError");
}

export class EngineClient {
  readonly #spawn: () => Worker;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  /** Why there is no worker, when it failed before it ever answered. */
  #failure = "The engine was disposed of.";
  #nextId = 1;

  /** The worker is started at once, so that the engine loads while the page does. */
  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
    this.#start();
  }

  /** Handles of earlier runs die with a cancel: they lived in the worker. */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  call<M extends keyof EngineApi>(
    method: M,
    args: Parameters<EngineApi[M]>,
    options: CallOptions = {},
  ): Promise<ReturnType<EngineApi[M]>> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(abortError());
    if (!this.#worker) return Promise.reject(new Error(this.#failure));
    const id = this.#nextId++;
    const request: Request = { id, method, args };
    const promise = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    const onAbort = (): void => {
      if (this.#pending.has(id)) this.cancel();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#worker.postMessage(request);
    return promise.finally(() => signal?.removeEventListener("abort", onAbort)) as Promise<
      ReturnType<EngineApi[M]>
    >;
  }

  cancel(): void {
    this.#worker?.terminate();
    this.#rejectAll(abortError());
    this.#start();
  }

  /** Ends the worker for good. */
  dispose(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#rejectAll(abortError());
  }

  #start(): void {
    const worker = this.#spawn();
    let answered = false;
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<Reply>) => {
      const reply = event.data;
      answered = true;
      const pending = this.#pending.get(reply.id);
      if (!pending) return;
      this.#pending.delete(reply.id);
      if (reply.ok) pending.resolve(reply.value);
      else pending.reject(new Error(reply.message));
      if (!reply.ok && reply.fatal) this.#replace(worker, reply.message, true);
    };
    worker.onerror = (event) => {
      this.#replace(worker, event.message || "The engine's worker could not be loaded.", answered);
    };
  }

  /**
   * A worker that fails (out of memory, a trap) takes its calls with it. The next call finds a
   * fresh one, unless the worker never worked: then trying again would go on for ever.
   */
  #replace(worker: Worker, why: string, worked: boolean): void {
    if (this.#worker !== worker) return;
    worker.terminate();
    this.#worker = null;
    this.#failure = why;
    this.#rejectAll(new Error(why));
    if (worked) this.#start();
  }

  #rejectAll(error: Error): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of pending) call.reject(error);
  }
}
