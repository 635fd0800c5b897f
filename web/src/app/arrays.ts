/** Arrays in files (.npy): which of the program's inputs one can be. */

import type { CheckResult } from "../../../wasm/engine_api";
import { words } from "../strings";
import { notify, openOverlay, setInput, takeText } from "./actions";
import type { App } from "./app";
import { withShared } from "./device_inputs";
import { checkProgram } from "./engines";
import { type InputSpec, writable } from "./state";

/** Larger files would not fit under the default memory limit either. */
const MAX_FILE = 512 * 1024 * 1024;

const w = {
  tooLarge: "This file is larger than 512 MiB.",
  noArray: (name: string) => `${name} is not an .npy file: it does not begin like one.`,
  noParameters: (name: string) =>
    `${name} is an array, and this program has no input that it could be.`,
  noneFits: (name: string, dims: string) =>
    `${name} has the sizes (${dims}), which no input of this program has.`,
  given: (file: string, input: string) => `${file} is the value of ${input} now.`,
};

/** What the head of an .npy file says; null for other files. */
export function readHead(bytes: Uint8Array): { dims: number[]; itemBytes: number | null } | null {
  const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
  if (!magic.every((byte, i) => bytes[i] === byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isFirst = bytes[6] === 1;
  if (bytes.length < 12) return null;
  const begin = isFirst ? 10 : 12;
  const length = isFirst ? view.getUint16(8, true) : view.getUint32(8, true);
  const head = new TextDecoder().decode(bytes.subarray(begin, begin + length));
  const shape = /'shape':\s*\(([^)]*)\)/.exec(head);
  if (!shape) return null;
  const dims = (shape[1] ?? "").split(",").flatMap((text) => (text.trim() ? [Number(text)] : []));
  const item = /'descr':\s*'[<>|=]?[a-zA-Z](\d+)'/.exec(head);
  return { dims, itemBytes: item ? Number(item[1]) : null };
}

type ProgramParameters = CheckResult["parameters"];

/** The parameters of the program in the editor, which the page may not have been told yet. */
export async function parametersOf(app: App): Promise<ProgramParameters> {
  return (await checkProgram(app.engines, takeText(app), app.state.inputs.peek())).parameters;
}

/** The parameters that an array can be, by number: of its sizes, and of its elements' size. */
export async function fittingParameters(
  app: App,
  parameters: ProgramParameters,
  bytes: Uint8Array,
): Promise<number[]> {
  const head = readHead(bytes);
  if (!head) return [];
  const facts = await Promise.all(
    parameters.map(({ shape }) =>
      shape === "" ? null : app.engines.typing.call("layout", [shape]).catch(() => null),
    ),
  );
  return facts.flatMap((layout, at) => {
    const isOpen = parameters[at]?.openType !== "";
    if (!layout?.ok) return isOpen ? [at] : [];
    const hasSizes = layout.dims.join() === head.dims.join();
    const hasWidth = head.itemBytes === null || layout.elementBits === 8 * head.itemBytes;
    // Elements of less than a byte are a byte each in a file.
    const isPacked = layout.elementBits < 8 && head.itemBytes === 1;
    return hasSizes && (hasWidth || isPacked) ? [at] : [];
  });
}

/** Makes a file the value of a parameter. The result undoes it. */
export function setArray(
  app: App,
  parameter: number,
  file: NonNullable<InputSpec["file"]>,
): () => void {
  const before = app.state.inputs.peek()[parameter] ?? { text: "", file: null };
  setInput(app, parameter, { text: withShared(before.text, ""), file });
  return () => setInput(app, parameter, before);
}

/** The same, and says so. */
export async function giveArray(
  app: App,
  parameter: number,
  file: NonNullable<InputSpec["file"]>,
): Promise<void> {
  const act = setArray(app, parameter, file);
  const { name = "" } = (await parametersOf(app))[parameter] ?? {};
  notify(app, w.given(file.name, name), "info", { label: words.app.undo, act });
}

/** Takes a file as an input: where several fit, the person says which. */
export async function takeArray(app: App, file: File, parameter: number | null): Promise<void> {
  if (file.size > MAX_FILE) {
    notify(app, w.tooLarge, "error");
    return;
  }
  const taken = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  const head = readHead(taken.bytes);
  if (!head) {
    notify(app, w.noArray(file.name), "error");
    return;
  }
  if (parameter !== null) {
    await giveArray(app, parameter, taken);
    return;
  }
  const parameters = await parametersOf(app);
  const fits = await fittingParameters(app, parameters, taken.bytes);
  const [first, second] = fits;
  if (first === undefined) {
    const why =
      parameters.length > 0
        ? w.noneFits(file.name, head.dims.join(", "))
        : w.noParameters(file.name);
    notify(app, why, "error");
  } else if (second === undefined) await giveArray(app, first, taken);
  else {
    writable(app.state).offered.value = { file: taken, fits };
    openOverlay(app, "offer");
  }
}
