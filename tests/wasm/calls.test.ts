// @vitest-environment node
/** The calls that TypeScript knows and the rows of the engine's table are the same. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import factory from "../../build/wasm/engine.mjs";
import type { EngineCalls } from "../../wasm/calls";
import type { ModuleFactory } from "../../wasm/engine";
import { createEngine } from "../../wasm/index";
import { loadEngine } from "./setup";

/** The compiler wants each call of the interface here, and no other: the type is the contract. */
const CALLS: Record<keyof EngineCalls, "both" | "full"> = {
  calls: "both",
  open: "both",
  edit: "both",
  close: "both",
  text: "both",
  contains: "both",
  isMlir: "both",
  version: "both",
  ops: "both",
  check: "both",
  tokens: "both",
  folds: "both",
  outline: "both",
  place: "both",
  definition: "both",
  rename: "both",
  complete: "both",
  format: "both",
  run: "both",
  trace: "both",
  compileProgram: "full",
  executeProgram: "full",
  programFaults: "full",
  readValue: "full",
  valueWindow: "both",
  valueStats: "both",
  nonFinite: "both",
  valueText: "both",
  valueNpy: "both",
  memory: "both",
  memoryByte: "both",
  release: "both",
  startHandlesAt: "both",
  layout: "both",
  logicalWindow: "both",
  linearWindow: "both",
  address: "both",
  convert: "full",
  plan: "full",
  diff: "full",
  debug: "full",
  askDebugger: "full",
  graph: "full",
  graphSearch: "full",
  shrink: "full",
  passes: "full",
  isolate: "full",
  pythonScript: "full",
  memoryReport: "full",
  programMemory: "full",
  memoryPicture: "full",
  memorySavings: "full",
  cost: "full",
  precision: "full",
  measureMachine: "full",
  profileTree: "full",
  profileTrace: "full",
  layoutNotations: "both",
  layoutConversions: "full",
  compareLayouts: "full",
  film: "full",
  filmPlaces: "full",
  filmWindow: "full",
  relayout: "full",
  layoutAdvice: "full",
  shardings: "full",
  devices: "full",
  devicesAt: "full",
  readDump: "full",
  valueFigures: "full",
  valueHistogram: "full",
  valueTiles: "full",
  valueImage: "full",
  keepArray: "full",
  inputFaults: "full",
  makeInput: "full",
  numberParts: "full",
  why: "full",
};

async function callsOf(engine: Promise<unknown>): Promise<string[]> {
  return ((await engine) as EngineCalls).calls().sort();
}

it("the full build has every call of the interface, and no other", async () => {
  expect(await callsOf(loadEngine())).toEqual(Object.keys(CALLS).sort());
});

it("the small build has those that HLO needs", async () => {
  const small = createEngine({
    factory: factory as ModuleFactory,
    wasmBinary: readFileSync("build/wasm/engine.wasm"),
  });
  const wanted = Object.entries(CALLS).filter(([, build]) => build === "both");
  expect(await callsOf(small)).toEqual(wanted.map(([name]) => name).sort());
});

it("a text that is open is named in calls, and changed", async () => {
  const engine = await loadEngine();
  const text = `ENTRY e { ROOT x = f32[2] parameter(0) } // \u{1F600}`;
  const named = { $document: 1 };
  expect(() => engine.check(named)).toThrow("no such document");
  engine.open(1, text);
  expect(engine.check(named)).toEqual(engine.check(text));
  const at = text.indexOf("x =");
  const changes = [
    { from: at, to: at + 1, insert: "yy" },
    { from: text.length, to: text.length, insert: "!" },
  ];
  expect(engine.edit(1, changes)).toBe(true);
  const edited = `${text.slice(0, at)}yy${text.slice(at + 1)}!`;
  expect(engine.text(named)).toBe(edited);
  expect(engine.place(named, at)).toEqual(engine.place(edited, at));
  engine.close(1);
  expect(engine.edit(1, [])).toBe(false);
});
