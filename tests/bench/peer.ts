// This engine as a peer of the benchmark that `make bench PEERS=folder` runs, with fused multiply-adds as another,
// and the limits of the machine as a third: the page's cases (web/bench). Both are bundled into build/peers, beside the package in hlo/,
// so that a browser finds all of it.
import { createEngine as createModule } from "../../wasm/engine";
import type { LocalEngine } from "../../wasm/engine_api";
import type * as Package from "../../wasm/index";
import { createThreaded } from "../../wasm/threaded";
import { cases } from "../../web/bench/cases";
import { startLimit } from "../../web/bench/limits";
import { type Started, startOurs } from "../../web/bench/ours";

type Peer = { cases: Record<string, () => Started> };

/** The engine: of the package; or, for several threads, the page's full build, in a page alone. */
async function engineOf(threads: number): Promise<LocalEngine> {
  const { createEngine } = (await import(
    /* @vite-ignore */ new URL("./hlo/index.js", import.meta.url).href
  )) as typeof Package;
  if (threads < 2) return createEngine();
  // No `new URL` of a text that is put together: the bundler would look for files.
  const at = (name: string): string =>
    import.meta.url.replace(/[^/]*$/, `threads/engine_threads.${name}`);
  const files = { glue: at("mjs"), wasm: at("wasm"), worker: at("worker.js") };
  const { engine, use } = await createThreaded(createModule, files);
  await use(threads);
  return engine;
}

/**
 * This engine; or, by the name of this module, `fused_`: with fused multiply-adds, where they make a
 * difference; `limit_`: what the machine allows.
 */
export async function make({ threads = 1 }: { threads?: number }): Promise<Peer> {
  if (import.meta.url.includes("/limit_")) {
    const started = cases.map((bench) => [bench, () => startLimit(bench)] as const);
    const known = started.filter(([{ flops, bytes }]) => flops + bytes > 0);
    return {
      cases: Object.fromEntries(known.map(([{ name }, start]) => [name, start])) as Peer["cases"],
    };
  }
  const engine = await engineOf(threads);
  const isFused = import.meta.url.includes("/fused_");
  const options = isFused ? { multiplyAdd: "fused" as const } : {};
  const started = cases
    .filter(({ isSum }) => isSum || !isFused)
    .map((bench) => [bench.name, () => startOurs(engine, bench, bench.operands(), options)]);
  return { cases: Object.fromEntries(started) as Peer["cases"] };
}
