/** What the page hands over as a file: the program in either dialect, and as a script for JAX. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { checkProgram } from "./engines";

interface Made {
  ok: boolean;
  text: string;
  diagnostics: { message: string }[];
}

export interface Download {
  id: string;
  label: string;
  extension: string;
  make(app: App, text: string): Promise<Made>;
}

async function inDialect(app: App, text: string, to: "hlo" | "stablehlo"): Promise<Made> {
  const { typing } = app.engines;
  const { kind } = await checkProgram(app.engines, text, app.state.inputs.value);
  if ((kind === "mlir") === (to === "stablehlo")) return { ok: true, text, diagnostics: [] };
  return typing.call("convert", [text, { to }]);
}

async function asPython(app: App, text: string): Promise<Made> {
  const { inputs, settings } = app.state;
  const { parameters } = await checkProgram(app.engines, text, inputs.value);
  const given = inputs.value.slice(0, parameters.length);
  const options = {
    inputs: given.map((input) => input.text),
    files: given.flatMap(({ file }, parameter) => (file ? [{ parameter, bytes: file.bytes }] : [])),
    ...settings.value,
  };
  // Uses the run on the screen if there is one; else runs the program for its results.
  const last = app.state.results.value;
  const fresh = last?.run.ok && last.text === text && !app.state.stale.value;
  return app.engines.script(text, options, fresh ? last.run.handle : null);
}

/** One row per kind of file. */
export const downloads: readonly Download[] = [
  {
    id: "download-hlo",
    label: words.download.hlo,
    extension: ".hlo",
    make: (app, text) => inDialect(app, text, "hlo"),
  },
  {
    id: "download-stablehlo",
    label: words.download.stablehlo,
    extension: ".mlir",
    make: (app, text) => inDialect(app, text, "stablehlo"),
  },
  { id: "download-python", label: words.download.python, extension: ".py", make: asPython },
];

/** Hands the browser a file to save. */
export function saveFile(name: string, data: BlobPart, type = ""): void {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The module's name, as far as every file system takes it. */
export function fileName(module: string, extension: string): string {
  const name = module.replace(/[^\w.-]+/g, "_").slice(0, 80);
  return `${name && name !== "mlir" ? name : "program"}${extension}`;
}

export async function download(app: App, what: Download): Promise<void> {
  const text = app.editor?.text() ?? app.state.text.value;
  notify(app, words.download.making(what.label));
  const made = await what.make(app, text);
  if (!made.ok) {
    const why = made.diagnostics[0]?.message ?? words.download.noReason;
    notify(app, words.download.failed(what.label, why), "error");
    return;
  }
  const name = fileName(app.state.check.value?.module ?? "", what.extension);
  saveFile(name, made.text);
  notify(app, words.download.saved(name));
}
