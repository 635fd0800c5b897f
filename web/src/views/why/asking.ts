/** The question about the selected element, and how it is put to an engine of its own. */
import type { RunOptions, WhyElement, WhyOptions, WhyRow } from "../../../../wasm/engine_api";
import { focusOn } from "../../app/actions";
import type { App } from "../../app/app";
import { engineInputs, gridOf } from "../../app/device_inputs";
import type { Results } from "../../app/state";

/** The element that the page has selected; null where it is none of the run's. */
export function selectedElement(app: App): WhyElement | null {
  const chosen = app.state.chosen.value;
  const choice = app.state.choice.value;
  const { index } = app.state.focus.value;
  if (!chosen || !choice || String(choice.entry).startsWith("host:")) return null;
  const { dims } = chosen.value;
  const fits =
    chosen.value.kind === "array" &&
    index?.length === dims.length &&
    index.every((at, i) => at < (dims[i] ?? 0));
  const where = { path: choice.path, index: fits ? index : null };
  if (chosen.entry) {
    const { name, computation, iterations, device = 0 } = chosen.entry;
    return { ...where, name, computation, iterations, device };
  }
  const [entry = "output", device = "0"] = String(choice.entry).split("@");
  return { ...where, name: "", computation: "", entry, device: Number(device) };
}

/** The options of the last run. */
function runOptions(app: App, { run, inputs, settings }: Results): RunOptions {
  const given = inputs.slice(0, run.inputs.length);
  return {
    ...engineInputs(
      given.map((input) => input.text),
      gridOf(app.state.check.peek(), settings),
    ),
    files: given.flatMap(({ file }, parameter) => (file ? [{ parameter, bytes: file.bytes }] : [])),
    ...settings,
  };
}

export function optionsFor(
  app: App,
  results: Results,
  question: Pick<WhyOptions, "element" | "first">,
): WhyOptions {
  return { ...runOptions(app, results), ...question };
}

/** Looks at an element of a chain, wherever the page shows it. */
export function selectRow(
  app: App,
  row: Pick<WhyRow, "name" | "computation" | "iterations" | "device" | "path" | "index">,
  range?: WhyRow["range"],
): void {
  const { name, computation, iterations, device, path, index } = row;
  focusOn(app, { name, computation, iterations, device, path, index, source: null });
  if (range) app.editor?.goTo([range[0], range[0]], false);
}

/** "x[1][2,3]". */
export function elementName(shown: string, path: readonly number[], inside: string): string {
  return `${shown}${path.map((i) => `[${i}]`).join("")}${inside}`;
}

export function indexText(index: readonly number[]): string {
  return index.length > 0 ? `[${index.join(",")}]` : "";
}
