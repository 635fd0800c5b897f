// This engine as a peer of the benchmark that `make bench PEERS=folder` runs, and the limits of the machine as
// another: the page's cases (web/bench). Both are bundled into build/peers, beside the package in hlo/,
// so that a browser finds all of it.
import type * as Package from "../../wasm/index";
import { cases } from "../../web/bench/cases";
import { startLimit } from "../../web/bench/limits";
import { type Started, startOurs } from "../../web/bench/ours";

type Peer = { cases: Record<string, () => Started> };

/** This engine, or, where this module is called `limit_`, what the machine allows. */
export async function make(): Promise<Peer> {
  if (import.meta.url.includes("/limit_")) {
    const started = cases.map((bench) => [bench, () => startLimit(bench)] as const);
    const known = started.filter(([{ flops, bytes }]) => flops + bytes > 0);
    return {
      cases: Object.fromEntries(known.map(([{ name }, start]) => [name, start])) as Peer["cases"],
    };
  }
  const where = new URL("./hlo/index.js", import.meta.url).href;
  const { createEngine } = (await import(/* @vite-ignore */ where)) as typeof Package;
  const engine = await createEngine();
  return {
    cases: Object.fromEntries(cases.map((bench) => [bench.name, () => startOurs(engine, bench)])),
  };
}
