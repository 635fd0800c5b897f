/** What the page hands over as a file: the program in either dialect, and as a script for JAX. How is in `file_saver.ts`. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import type { Download } from "./file_saver";

/** One row per kind of file. */
export const downloads: readonly Download[] = [
  { id: "download-hlo", label: words.download.hlo, extension: ".hlo", what: "hlo" },
  {
    id: "download-stablehlo",
    label: words.download.stablehlo,
    extension: ".mlir",
    what: "stablehlo",
  },
  { id: "download-python", label: words.download.python, extension: ".py", what: "python" },
];

export async function download(app: App, row: Download): Promise<void> {
  notify(app, words.download.making(row.label));
  const { makeFile } = await import("./file_saver");
  await makeFile(app, row);
}
