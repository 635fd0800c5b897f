/** What the engine gets for a run: inputs, files for them, and settings. */
import type { RunOptions } from "../../../wasm/engine_api";
import { engineInputs, type Grid } from "./device_inputs";
import { engineSettings, type RunSettings } from "./settings";
import type { InputSpec } from "./state";

/** The options of a run with these inputs, which belong to the program, on these devices. */
export function runOptionsOf(
  inputs: readonly InputSpec[],
  grid: Grid,
  settings: RunSettings,
): RunOptions {
  return {
    ...engineInputs(
      inputs.map((input) => input.text),
      grid,
    ),
    files: inputs.flatMap(({ file }, parameter) =>
      file ? [{ parameter, bytes: file.bytes }] : [],
    ),
    ...engineSettings(settings),
  };
}
