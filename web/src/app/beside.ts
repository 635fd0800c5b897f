/**
 * A page beside the page, which nobody sees: what shows the values of a run shows those of another
 * one on it, such as a step of a timeline. It has a focus of its own.
 */
import type { TraceEntry } from "../../../wasm/engine_api";
import { type App, createApp } from "./app";
import type { EngineLink } from "./engine_link";
import { Engines } from "./engines";
import { type Results, writable } from "./state";

/** `engine` holds the values. */
export function pageBeside(app: App, engine: EngineLink): App {
  const beside = createApp(new Engines(() => engine), []);
  const { dark, notice } = app.state;
  return { ...beside, state: { ...beside.state, dark, notice } };
}

/** Chooses a value of a run on such a page: its results, which are of this value alone. */
export function chooseBeside(beside: App, handle: number, entry: TraceEntry): Results {
  const s = writable(beside.state);
  const results: Results = {
    run: {
      ok: true,
      diagnostics: [],
      handle,
      output: null,
      inputs: [],
      trace: [entry],
      traceCount: 1,
      seconds: 0,
      steps: 0,
      peakBytes: 0,
    },
    compiled: null,
    text: s.text.value,
    inputs: s.inputs.value,
    settings: s.settings.value,
  };
  const { focus } = s;
  const isSame = focus.value.name === entry.name;
  s.results.value = results;
  focus.value = {
    ...focus.value,
    computation: entry.computation,
    name: entry.name,
    source: entry.id,
    path: isSame ? focus.value.path : [],
    index: isSame ? focus.value.index : null,
  };
  return results;
}
