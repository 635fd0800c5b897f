/** The worker of the benchmark: measures cases, one after another, with the build that generates code. */
import createModule from "../../../build/wasm/engine_full.mjs";
import wasmUrl from "../../../build/wasm/engine_full.wasm?url";
import { createEngine, type ModuleFactory } from "../../../wasm/engine";
import { cases } from "../../bench/cases";
import { type Measured, measure, QUICK, USUAL } from "../../bench/measure";

/** What the worker is asked, once. */
export interface Asked {
  names: string[];
  quick: boolean;
}

export type Said =
  /** The engine is there, after so many milliseconds. */
  | { kind: "ready"; ms: number }
  | { kind: "begun"; name: string }
  | { kind: "measured"; measured: Measured }
  | { kind: "failed"; name: string; why: string }
  | { kind: "done" };

const say = (said: Said): void => self.postMessage(said);

async function measureAll({ names, quick }: Asked): Promise<void> {
  const start = performance.now();
  const engine = await createEngine({
    factory: createModule as unknown as ModuleFactory,
    wasmUrl: new URL(wasmUrl, self.location.href).href,
  });
  say({ kind: "ready", ms: performance.now() - start });
  for (const bench of cases) {
    const { name } = bench;
    if (!names.includes(name)) continue;
    say({ kind: "begun", name });
    try {
      say({ kind: "measured", measured: measure(engine, bench, quick ? QUICK : USUAL) });
    } catch (error) {
      say({ kind: "failed", name, why: error instanceof Error ? error.message : String(error) });
    }
  }
  say({ kind: "done" });
}

self.onmessage = (event: MessageEvent<Asked>) => {
  measureAll(event.data).catch((error: Error) => {
    say({ kind: "failed", name: "", why: error.message });
    say({ kind: "done" });
  });
};
