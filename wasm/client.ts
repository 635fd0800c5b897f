/**
 * An engine in a worker. Calls return promises and are executed one after the other; waiting calls
 * are queued here, but for a few brief ones, which the worker is sent ahead: it goes on with them
 * while the page is busy. Cancelling a call that the worker is executing terminates the worker: a
 * fresh one continues with the queue. A worker that fails is replaced too.
 */
import { handleOf, isAboutText, isBrief, isLong, keepsRun, withHandle } from "./calls";
import type { EngineApi, RunResult } from "./engine_api";
import type { Reply, Request } from "./protocol";
import { SentTexts } from "./sent_texts";

export interface CallOptions {
  /** Cancels the call when it fires; the call then rejects with an AbortError. */
  signal?: AbortSignal;
  /**
   * Milliseconds that the worker may take, not counting the wait for earlier calls; a call that
   * takes longer rejects with a TimeoutError.
   */
  timeout?: number;
}

interface Call {
  method: string;
  args: unknown[];
  timeout: number | undefined;
  /** It was sent to a worker that failed, possibly because of it. */
  tried: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A call that the worker has been sent; null: it was given up before its turn, and is answered in vain. */
interface Sent {
  call: Call | null;
  id: number;
  timeout: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Calls that the worker has at most: the one that it executes, and brief ones. */
const MOST_SENT = 4;

/** Milliseconds for a call whose answer nobody waits for. */
const VAIN_MS = 1000;

/** Handles of runs carry the number of their worker in the high part. */
const HANDLES = 2 ** 32;

/** If a worker could not be loaded, the next call tries again after this time. */
const RELOAD_MS = 1000;

function abortError(): DOMException {
  return new DOMException("The call was cancelled.", "AbortError");
}

export class EngineClient {
  readonly #spawn: () => Worker;
  readonly #waiting: Call[] = [];
  /** The calls that the worker has; it is executing the first. */
  #sent: Sent[] = [];
  #worker: Worker | null = null;
  readonly #texts = new SentTexts();
  /** Counts the workers, and tells their handles apart. */
  #turn = -1;
  /** The worker has sent any message at all; it has answered a call. */
  #loaded = false;
  #worked = false;
  /** Why there is no worker, and since when, when one could not be loaded. */
  #failure: { why: string; at: number } | null = null;
  #disposed = false;
  #nextId = 1;

  /** The worker is started at once, so that the engine loads while the page does. */
  constructor(spawn: () => Worker) {
    this.#spawn = spawn;
    this.#start();
  }

  get busy(): boolean {
    return this.#sent.length > 0 || this.#waiting.length > 0;
  }

  call<M extends keyof EngineApi>(
    method: M,
    args: Parameters<EngineApi[M]>,
    options: CallOptions = {},
  ): Promise<ReturnType<EngineApi[M]>> {
    const { signal, timeout } = options;
    if (signal?.aborted) return Promise.reject(abortError());
    if (this.#disposed) return Promise.reject(new Error("The engine was disposed of."));
    const made = new Promise<unknown>((resolve, reject) => {
      const call: Call = { method, args, timeout, tried: false, resolve, reject };
      const onAbort = (): void => this.#giveUp(call, abortError());
      const settled = (): void => signal?.removeEventListener("abort", onAbort);
      call.resolve = (value) => {
        settled();
        resolve(value);
      };
      call.reject = (error) => {
        settled();
        reject(error);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(call);
    });
    this.#next();
    return made as Promise<ReturnType<EngineApi[M]>>;
  }

  /** Cancels every call, whatever the worker is doing; the values of its runs are lost. */
  cancel(): void {
    const calls = this.#takeAll();
    if (!this.#disposed) this.#start();
    for (const call of calls) call.reject(abortError());
  }

  /** Ends the worker for good. */
  dispose(): void {
    this.#disposed = true;
    const calls = this.#takeAll();
    this.#worker?.terminate();
    this.#worker = null;
    for (const call of calls) call.reject(abortError());
  }

  #takeAll(): Call[] {
    const sent = this.#takeSent().flatMap((call) => call ?? []);
    return [...sent, ...this.#waiting.splice(0)];
  }

  /** The calls that the worker has, which it is not to answer any more. */
  #takeSent(): (Call | null)[] {
    const sent = this.#sent;
    this.#sent = [];
    clearTimeout(sent[0]?.timer);
    return sent.map(({ call }) => call);
  }

  #start(): void {
    this.#worker?.terminate();
    const worker = this.#spawn();
    this.#worker = worker;
    this.#texts.forget();
    this.#loaded = false;
    this.#worked = false;
    this.#failure = null;
    this.#turn++;
    worker.onmessage = (event: MessageEvent<Reply>) => {
      if (this.#worker === worker) this.#answered(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (this.#worker === worker) this.#failed(event.message || "The engine could not be loaded.");
    };
    worker.onmessageerror = () => {
      if (this.#worker === worker) this.#failed("An answer of the engine could not be read.");
    };
  }

  /** Sends the worker the next calls: one if it is idle, brief ones ahead of their turn. */
  #next(): void {
    for (let [call] = this.#waiting; call && this.#mayHave(call); [call] = this.#waiting) {
      if (!this.#worker && !this.#reload()) return;
      this.#waiting.shift();
      this.#send(call);
    }
  }

  #mayHave({ method, args }: Call): boolean {
    const { length } = this.#sent;
    return length === 0 || (length < MOST_SENT && isBrief(method, args));
  }

  /** Tries again after a worker could not be loaded; false if it is too early. */
  #reload(): boolean {
    const { why, at } = this.#failure ?? { why: "The engine is gone.", at: 0 };
    if (Date.now() - at >= RELOAD_MS) {
      this.#start();
      return true;
    }
    for (const call of this.#waiting.splice(0)) call.reject(new Error(why));
    return false;
  }

  #send(call: Call): void {
    const handle = handleOf(call.method, call.args);
    const inside = handle - this.#turn * HANDLES;
    if (handle !== 0 && (inside < 1 || inside >= HANDLES)) {
      // The run is gone already: nothing to release.
      if (call.method === "release") call.resolve(undefined);
      else call.reject(new Error("The values of this run are gone: its engine was replaced."));
      return;
    }
    const id = this.#nextId++;
    const args = handle === 0 ? call.args : withHandle(call.method, call.args, inside);
    try {
      this.#worker?.postMessage(this.#request(id, call.method, args));
    } catch (error) {
      this.#texts.forget();
      call.reject(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#sent.push({ call, id, timeout: call.timeout, timer: undefined });
    if (this.#sent.length === 1) this.#watch();
  }

  /** Counts the time of the call that the worker is executing now. */
  #watch(): void {
    const [current] = this.#sent;
    if (!current) return;
    const { call, timeout } = current;
    const late = (): void => this.#giveUpFirst(`No answer in ${timeout} ms.`);
    if (!call) current.timer = setTimeout(late, VAIN_MS);
    else if (timeout !== undefined) current.timer = setTimeout(late, timeout);
  }

  /** A call as sent to the worker: long texts are sent once, then referred to by number. */
  #request(id: number, method: string, args: unknown[]): Request {
    const first = args[0];
    if (!isAboutText(method) || typeof first !== "string") return { id, method, args };
    const { text, ...rest } = this.#texts.refer(first);
    return { id, method, args: [text, ...args.slice(1)], ...rest };
  }

  #answered(reply: Reply): void {
    const [current] = this.#sent;
    this.#loaded = true;
    if (!current || reply.id !== current.id) return;
    if (!reply.ok && reply.fatal) {
      this.#failed(reply.message);
      return;
    }
    clearTimeout(current.timer);
    this.#sent.shift();
    this.#watch();
    this.#worked = true;
    if (!reply.ok) this.#texts.forget();
    if (current.call) this.#settle(current.call, reply);
    this.#next();
  }

  #settle(call: Call, reply: Reply): void {
    if (!reply.ok && reply.unknown && !call.tried) {
      // The whole text goes with it this time.
      call.tried = true;
      this.#waiting.unshift(call);
    } else if (reply.ok) call.resolve(this.#outside(call.method, reply.value));
    else call.reject(new Error(reply.message));
  }

  /** A result as the caller sees it. */
  #outside(method: string, value: unknown): unknown {
    const run = value as RunResult;
    if (!keepsRun(method) || !run.handle) return value;
    return { ...run, handle: run.handle + this.#turn * HANDLES };
  }

  #giveUp(call: Call, error: Error): void {
    const at = this.#waiting.indexOf(call);
    const sent = this.#sent.find((each) => each.call === call);
    if (at >= 0) this.#waiting.splice(at, 1);
    else if (sent && sent !== this.#sent[0]) sent.call = null;
    else if (sent) this.#replace();
    call.reject(error);
    this.#next();
  }

  /** The call that the worker is executing takes too long. */
  #giveUpFirst(why: string): void {
    const call = this.#sent[0]?.call;
    this.#replace();
    call?.reject(new DOMException(why, "TimeoutError"));
    this.#next();
  }

  /** Another worker, which goes on behind the call that the last one was executing. */
  #replace(): void {
    const [, ...later] = this.#takeSent();
    this.#waiting.unshift(...later.flatMap((call) => call ?? []));
    this.#start();
  }

  /**
   * The worker is lost. The call it was executing is retried once, unless it is a run: state left
   * by earlier calls may have been the cause.
   */
  #failed(why: string): void {
    const [call, ...later] = this.#takeSent();
    const worked = this.#worked;
    this.#waiting.unshift(...later.flatMap((each) => each ?? []));
    if (this.#loaded) this.#start();
    else {
      // It cannot be loaded: starting another one at once would loop forever.
      this.#worker?.terminate();
      this.#worker = null;
      this.#failure = { why, at: Date.now() };
    }
    if (call && worked && !call.tried && !isLong(call.method)) {
      call.tried = true;
      this.#waiting.unshift(call);
    } else call?.reject(new Error(why));
    this.#next();
  }
}
