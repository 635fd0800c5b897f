/**
 * The layout in a worker of its own, which is fetched with the first graph. A layout that nobody
 * waits for any longer is cancelled by terminating the worker.
 */
import type { ElkNode } from "elkjs/lib/elk-api";
// The library's own worker, as it is: it needs no eval.
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

interface Answer {
  id: number;
  data?: ElkNode;
  error?: { message?: string };
}

/** What the view needs of it; tests have another. */
export interface Layouter {
  /** Rejects with an AbortError when the next one is asked for first. */
  place(graph: ElkNode): Promise<ElkNode>;
  end(): void;
}

/** A layout that takes longer is given up. */
const PATIENCE_MS = 30_000;

export class WorkerLayouter implements Layouter {
  #worker: Worker | null = null;
  #next = 1;
  #giveUp: ((error: Error) => void) | null = null;

  place(graph: ElkNode): Promise<ElkNode> {
    // Whoever asked before does not wait any longer.
    if (this.#giveUp) this.end();
    const worker = this.#started();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(), PATIENCE_MS);
      const done = (): void => {
        clearTimeout(timer);
        this.#giveUp = null;
      };
      this.#giveUp = (error) => {
        done();
        reject(error);
      };
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.id !== id) return;
        done();
        if (data.data) resolve(data.data);
        else reject(new Error(data.error?.message ?? "no layout"));
      };
      worker.onerror = () => {
        const giveUp = this.#giveUp;
        this.#worker = null;
        giveUp?.(new Error("no layout"));
      };
      worker.postMessage({ id, cmd: "layout", graph, layoutOptions: {}, options: {} });
    });
  }

  end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#giveUp?.(new DOMException("cancelled", "AbortError"));
    this.#giveUp = null;
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    this.#worker = new Worker(workerUrl);
    this.#worker.postMessage({ id: 0, cmd: "register", algorithms: ["layered"] });
    return this.#worker;
  }
}
