/** Measures in a worker, and says how far it is. */
import type { Measured } from "../../bench/measure";
import type { Asked, Said } from "./measurer";

export interface Listener {
  ready(ms: number): void;
  begun(name: string): void;
  measured(measured: Measured): void;
  failed(name: string, why: string): void;
  done(): void;
}

const spawn = (): Worker =>
  new Worker(new URL("./measurer.ts", import.meta.url), { type: "module" });

function tell(listener: Listener, said: Said): void {
  if (said.kind === "ready") listener.ready(said.ms);
  else if (said.kind === "begun") listener.begun(said.name);
  else if (said.kind === "measured") listener.measured(said.measured);
  else if (said.kind === "failed") listener.failed(said.name, said.why);
  else listener.done();
}

/** Begins; the answer is a function that ends it at once. */
export function startMeasuring(asked: Asked, listener: Listener, create = spawn): () => void {
  const worker = create();
  let ended = false;
  const end = (): void => {
    ended = true;
    worker.terminate();
  };
  worker.onmessage = (event: MessageEvent<Said>) => {
    if (ended) return;
    if (event.data.kind === "done") end();
    tell(listener, event.data);
  };
  worker.onerror = (event) => {
    event.preventDefault?.();
    if (ended) return;
    end();
    listener.failed("", event.message || "the worker could not be started");
    listener.done();
  };
  worker.postMessage(asked);
  return end;
}
