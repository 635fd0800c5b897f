/**
 * The layout in a worker of its own, which is fetched with the first graph. A layout that nobody
 * waits for any longer is cancelled by terminating the worker.
 */
import type { ElkNode } from "elkjs/lib/elk-api";
import { trialGraph } from "./placing";

interface Answer {
  id: number;
  data?: ElkNode;
  error?: { message?: string };
}

/** What the view needs of it; tests have another. */
export interface Layouter {
  /** Fetches and starts the worker before there is a graph. */
  start(): void;
  /** Rejects with an AbortError when the next one is asked for first. */
  place(graph: ElkNode): Promise<ElkNode>;
  end(): void;
}

const cancelled = (): DOMException => new DOMException("cancelled", "AbortError");

/** A layout that takes longer is given up. */
const PATIENCE_MS = 30_000;

export class WorkerLayouter implements Layouter {
  #worker: Worker | null = null;
  #turn = 0;
  #giveUp: ((error: Error) => void) | null = null;

  /** With a small layout, whose answer nobody awaits: the first one takes three times as long. */
  start(): void {
    this.#started().then(
      (worker) => {
        if (this.#turn === 0) this.#ask(worker, trialGraph());
      },
      () => undefined, // the first graph tries again, and says it
    );
  }

  async place(graph: ElkNode): Promise<ElkNode> {
    // Whoever asked before does not wait any longer.
    if (this.#giveUp) this.end();
    const turn = ++this.#turn;
    const worker = await this.#started();
    if (turn !== this.#turn) throw cancelled();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#giveUp?.(new Error("no layout in time"));
        this.end();
      }, PATIENCE_MS);
      const done = (): void => {
        clearTimeout(timer);
        this.#giveUp = null;
      };
      this.#giveUp = (error) => {
        done();
        reject(error);
      };
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.id !== turn) return;
        done();
        if (data.data) resolve(data.data);
        else reject(new Error(data.error?.message ?? "no layout"));
      };
      worker.onerror = () => {
        this.#worker = null;
        this.#giveUp?.(new Error("no layout"));
      };
      this.#ask(worker, graph);
    });
  }

  /** The answer has the number of the turn. */
  #ask(worker: Worker, graph: ElkNode): void {
    worker.postMessage({ id: this.#turn, cmd: "layout", graph, layoutOptions: {}, options: {} });
  }

  end(): void {
    this.#turn++;
    this.#worker?.terminate();
    this.#worker = null;
    this.#giveUp?.(cancelled());
    this.#giveUp = null;
  }

  async #started(): Promise<Worker> {
    const turn = this.#turn;
    // The library's own worker, as it is: it needs no eval.
    const { default: address } = await import("elkjs/lib/elk-worker.min.js?url");
    if (turn !== this.#turn) throw cancelled();
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(address);
    this.#worker.postMessage({ id: 0, cmd: "register", algorithms: ["layered"] });
    return this.#worker;
  }
}
