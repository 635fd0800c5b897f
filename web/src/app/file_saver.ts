/** Makes files of the program, and hands files to the browser. */
import { words } from "../strings";
import { notify, runOptions } from "./actions";
import type { App } from "./app";
import { checkProgram } from "./engines";

/** What there is to download (`download.ts`). */
export interface Download {
  id: string;
  label: string;
  extension: string;
  /** A program in this dialect, or a script. */
  what: "hlo" | "stablehlo" | "python";
}

interface Made {
  ok: boolean;
  text: string;
  diagnostics: { message: string }[];
}

async function inDialect(app: App, text: string, to: "hlo" | "stablehlo"): Promise<Made> {
  const { typing } = app.engines;
  const { kind } = await checkProgram(app.engines, text, app.state.inputs.value);
  if ((kind === "mlir") === (to === "stablehlo")) return { ok: true, text, diagnostics: [] };
  return typing.call("convert", [text, { to }]);
}

async function asPython(app: App, text: string): Promise<Made> {
  const check = await checkProgram(app.engines, text, app.state.inputs.value);
  const options = runOptions(app, check);
  // Uses the run on the screen if there is one; else runs the program for its results.
  const last = app.state.results.value;
  const fresh = last?.run.ok && last.text === text && !app.state.stale.value;
  return app.engines.script(text, options, fresh ? last.run.handle : null);
}

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

/** The program as a row of `downloads` says. */
export const programAs = (app: App, text: string, what: Download["what"]): Promise<Made> =>
  what === "python" ? asPython(app, text) : inDialect(app, text, what);

/** Makes what a row of `downloads` says of the program, and saves it; or says why that cannot be. */
export async function makeFile(app: App, { label, extension, what }: Download): Promise<void> {
  const text = app.editor?.text() ?? app.state.text.value;
  const made = await programAs(app, text, what);
  if (!made.ok) {
    const why = made.diagnostics[0]?.message ?? words.download.noReason;
    notify(app, words.download.failed(label, why), "error");
    return;
  }
  const name = fileName(app.state.check.value?.module ?? "", extension);
  saveFile(name, made.text);
  notify(app, words.download.saved(name));
}
