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
  cutShort: (name: string, wanted: number, has: number) =>
    `${name} is cut short: its elements have ${wanted} bytes, and it holds ${has} of them.`,
  noParameters: (name: string) =>
    `${name} is an array, and this program has no input that it could be.`,
  noneFits: (name: string, dims: string) =>
    `${name} has the sizes (${dims}), which no input of this program has.`,
  given: (file: string, input: string) => `${file} is the value of ${input} now.`,
  otherType: (file: string, type: string, input: string, wanted: string) =>
    `${file} holds ${type}, and ${input} is ${wanted}.`,
  otherSizes: (file: string, dims: string, input: string, shape: string) =>
    `${file} has the sizes (${dims}), and ${input} is ${shape}.`,
  convert: (type: string) => `Convert it to ${type}`,
  tooLargeFor: (file: string, type: string) => `${file} has numbers that ${type} cannot hold.`,
};

/** What the head of an .npy file says. */
interface Head {
  dims: number[];
  itemBytes: number | null;
  /** The first byte of an element is the one that weighs most. */
  isReversed: boolean;
  /** NumPy's for the kind of number; "" if there is none. */
  letter: string;
  /** The element type, where NumPy has a name for it. */
  type: string | null;
  /** Where the elements begin. */
  begin: number;
}

/** The kinds of numbers by NumPy's letters; the engine's name of a type has the bits behind it. */
const KINDS: Readonly<Record<string, string>> = { f: "f", i: "s", u: "u", c: "c" };

/** What an element type is called; null for truth values, and floats of fewer than 16 bits. */
function typeOf(letter: string, itemBytes: number): string | null {
  const kind = KINDS[letter];
  return kind && (letter !== "f" || itemBytes > 1) ? `${kind}${8 * itemBytes}` : null;
}

/** What the head of an .npy file says; null for other files. */
export function readHead(bytes: Uint8Array): Head | null {
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
  const item = /'descr':\s*'([<>|=]?)([a-zA-Z])(\d+)'/.exec(head) ?? [];
  const [, order, letter = "", size] = item;
  const itemBytes = size === undefined ? null : Number(size);
  const type = itemBytes === null ? null : typeOf(letter, itemBytes);
  return { dims, itemBytes, isReversed: order === ">", letter, type, begin: begin + length };
}

/** The type of half the size, which most programs have where NumPy has 64 bits; null for others. */
function narrowerType({ letter, itemBytes, isReversed }: Head): string | null {
  return itemBytes === 8 && letter !== "c" && !isReversed ? typeOf(letter, 4) : null;
}

function narrowed(letter: string, data: ArrayBuffer): Float32Array | Int32Array | Uint32Array {
  if (letter === "f") return Float32Array.from(new Float64Array(data));
  if (letter === "i") return Int32Array.from(new BigInt64Array(data), Number);
  return Uint32Array.from(new BigUint64Array(data), Number);
}

/** The file with elements of narrowerType; null if it has numbers that do not fit. */
function narrowedFile(bytes: Uint8Array, head: Head): Uint8Array | null {
  const at = new TextDecoder("latin1").decode(bytes.subarray(0, head.begin)).search(/[fiu]8'/);
  const length = 8 * Math.floor((bytes.length - head.begin) / 8);
  const data = bytes.slice(head.begin, head.begin + length).buffer;
  const narrow = narrowed(head.letter, data);
  if (head.letter === "f") {
    const wide = new Float64Array(data);
    if (narrow.some((number, i) => !Number.isFinite(number) && Number.isFinite(wide[i])))
      return null;
  } else {
    const whole = new BigInt64Array(data);
    if (narrow.some((number, i) => BigInt(number) !== whole[i])) return null;
  }
  const made = new Uint8Array(head.begin + narrow.byteLength);
  made.set(bytes.subarray(0, head.begin));
  made[at + 1] = "4".charCodeAt(0);
  made.set(new Uint8Array(narrow.buffer), head.begin);
  return made;
}

type ProgramParameters = CheckResult["parameters"];

/** An array in a file. */
type ArrayFile = NonNullable<InputSpec["file"]>;

/** How a file fits a parameter: wholly, in its sizes alone, or not. */
interface Fit {
  parameter: number;
  kind: "whole" | "sizes" | "none";
  type: string;
}

/** The parameters of the program in the editor, which the page may not have been told yet. */
export async function parametersOf(app: App): Promise<ProgramParameters> {
  return (await checkProgram(app.engines, takeText(app), app.state.inputs.peek())).parameters;
}

/** What the engine says of the parameters' shapes, each of which is asked once. */
export async function layoutsOf(app: App, parameters: ProgramParameters) {
  const ask = (shape: string) => app.engines.typing.call("layout", [shape]).catch(() => null);
  const asked = new Map<string, ReturnType<typeof ask>>();
  for (const { shape } of parameters) {
    if (shape !== "" && !asked.has(shape)) asked.set(shape, ask(shape));
  }
  return Promise.all(parameters.map(({ shape }) => asked.get(shape) ?? null));
}

type Layouts = Awaited<ReturnType<typeof layoutsOf>>;

function fitsOf(parameters: ProgramParameters, layouts: Layouts, bytes: Uint8Array): Fit[] {
  const head = readHead(bytes);
  if (!head) return [];
  return layouts.map((layout, parameter): Fit => {
    const isOpen = parameters[parameter]?.openType !== "";
    if (!layout?.ok) return { parameter, kind: isOpen ? "whole" : "none", type: "" };
    const hasSizes = layout.dims.join() === head.dims.join();
    const hasType =
      head.type === null
        ? head.itemBytes === null || layout.elementBits === 8 * head.itemBytes
        : layout.elementType === head.type;
    // Elements of less than a byte are a byte each in a file.
    const isPacked = layout.elementBits < 8 && head.itemBytes === 1;
    const kind = !hasSizes ? "none" : hasType || isPacked ? "whole" : "sizes";
    return { parameter, kind, type: layout.elementType };
  });
}

const wholeFits = (fits: readonly Fit[]): number[] =>
  fits.flatMap(({ parameter, kind }) => (kind === "whole" ? [parameter] : []));

/** The parameters that each array can be, by number: of its sizes and its element type. */
export async function fittingParameters(
  app: App,
  parameters: ProgramParameters,
  arrays: readonly ArrayFile[],
): Promise<number[][]> {
  const layouts = await layoutsOf(app, parameters);
  return arrays.map(({ bytes }) => wholeFits(fitsOf(parameters, layouts, bytes)));
}

/** Makes a file the value of a parameter. The result undoes it. */
export function setArray(app: App, parameter: number, file: ArrayFile): () => void {
  const before = app.state.inputs.peek()[parameter] ?? { text: "", file: null };
  setInput(app, parameter, { text: withShared(before.text, ""), file });
  return () => setInput(app, parameter, before);
}

/** The same, and says so. */
export async function giveArray(app: App, parameter: number, file: ArrayFile): Promise<void> {
  await tellGiven(app, parameter, file.name, setArray(app, parameter, file));
}

/** Says that a file is the value of a parameter now, which `undo` takes back. */
export async function tellGiven(
  app: App,
  parameter: number,
  file: string,
  undo: () => void,
): Promise<void> {
  const { name = "" } = (await parametersOf(app))[parameter] ?? {};
  notify(app, w.given(file, name), "info", { label: words.app.undo, act: undo });
}

/** Elements of another type are told, and converted only if the person says so. */
function tellType(app: App, file: ArrayFile, head: Head, name: string, fit: Fit): void {
  const act = (): void => {
    const bytes = narrowedFile(file.bytes, head);
    if (bytes) void giveArray(app, fit.parameter, { name: file.name, bytes });
    else notify(app, w.tooLargeFor(file.name, fit.type), "error");
  };
  const action = narrowerType(head) === fit.type ? { label: w.convert(fit.type), act } : undefined;
  notify(app, w.otherType(file.name, head.type ?? "", name, fit.type), "error", action);
}

/** Takes a file as the value of the parameter it was chosen for, unless it cannot be that. */
async function takeFor(app: App, file: ArrayFile, head: Head, parameter: number): Promise<void> {
  const parameters = await parametersOf(app);
  const { name = "", shape = "" } = parameters[parameter] ?? {};
  const layouts = await layoutsOf(app, parameters);
  const fit = fitsOf(parameters, layouts, file.bytes)[parameter];
  if (fit?.kind === "sizes" && head.type) tellType(app, file, head, name, fit);
  else if (fit?.kind === "none")
    notify(app, w.otherSizes(file.name, head.dims.join(", "), name, shape), "error");
  else await giveArray(app, parameter, file);
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
  const wanted = head.dims.reduce((all, size) => all * size, head.itemBytes ?? 0);
  const has = taken.bytes.length - head.begin;
  if (has < wanted) {
    notify(app, w.cutShort(file.name, wanted, has), "error");
    return;
  }
  if (parameter !== null) return takeFor(app, taken, head, parameter);
  const parameters = await parametersOf(app);
  const all = fitsOf(parameters, await layoutsOf(app, parameters), taken.bytes);
  const fits = wholeFits(all);
  const [first, second] = fits;
  const near = all.find(({ kind }) => kind === "sizes");
  if (first === undefined && near && head.type) {
    tellType(app, taken, head, parameters[near.parameter]?.name ?? "", near);
  } else if (first === undefined) {
    const why =
      parameters.length > 0
        ? w.noneFits(file.name, head.dims.join(", "))
        : w.noParameters(file.name);
    notify(app, why, "error");
  } else if (second === undefined) await giveArray(app, first, taken);
  else {
    const give = (at: number): void => void giveArray(app, at, taken);
    writable(app.state).offered.value = { name: taken.name, fits, give };
    openOverlay(app, "offer");
  }
}
