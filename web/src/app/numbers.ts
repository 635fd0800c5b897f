/**
 * Files of text that are no programs: rows of numbers, which are inputs as arrays in files are, and texts
 * that are better not put in the place of a program.
 */
import type { CheckResult } from "../../../wasm/engine_api";
import { words } from "../strings";
import { notify, openOverlay, setInput, takeText, tellFailure } from "./actions";
import type { App } from "./app";
import { layoutsOf, parametersOf, tellGiven } from "./arrays";
import { withShared } from "./device_inputs";
import { writable } from "./state";

/** A longer text in the field of an input would be slow to show and to check. */
const MOST_TEXT = 200_000;

const w = {
  tooLong: (name: string) =>
    `${name} has more numbers than an input takes as text (200 kB): save the array as .npy and open that.`,
  ragged: (name: string, line: number, has: number, wanted: number) =>
    `${name} was not taken as an input: line ${line} has ${words.count(has, "number", "numbers")}, and the first row has ${wanted}.`,
  noNumber: (name: string, line: number, cell: string) =>
    cell
      ? `${name} was not opened: a file of numbers can be an input, but line ${line} has “${cell}”, which is no number.`
      : `${name} was not opened: a file of numbers can be an input, but a number is missing in line ${line}.`,
  noParameters: (name: string) =>
    `${name} is rows of numbers, and this program has no input that they could be.`,
  noneFits: (name: string, sizes: string) =>
    `${name} has ${sizes}, which no input of this program can be.`,
  otherSizes: (name: string, sizes: string, input: string, shape: string) =>
    `${name} has ${sizes}, and ${input} is ${shape}.`,
  sizes: (rows: number, columns: number) =>
    `${words.count(rows, "row", "rows")} of ${words.count(columns, "number", "numbers")}`,
  sizesFirst: (name: string, input: string) =>
    `${name} was not taken as an input: give the sizes of ${input} first.`,
  refused: (name: string, input: string, why: string) => `${name} cannot be ${input}: ${why}`,
  notOpened: (name: string, why: string) => `${name} was not opened. ${why}`,
  python: "It looks like Python, not like HLO or StableHLO.",
  notebook: "It looks like a notebook, not like HLO or StableHLO.",
};

interface TextFile {
  name: string;
  text: string;
}

/** Numbers as literals have them, row by row. */
interface Rows {
  rows: string[][];
  /** The line that each row is in, from 1 on. */
  lines: number[];
}

/** The first that is no number. */
interface NoNumber {
  line: number;
  cell: string;
}

const NUMBER = /^[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|inf|infinity)$/i;

function cellsOf(line: string): string[] {
  const separator = [";", ",", "\t"].find((sign) => line.includes(sign));
  const cells = separator ? line.split(separator) : line.split(/\s+/);
  const plain = cells.map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  // Some programs write a separator behind the last number too.
  if (plain.length > 1 && plain.at(-1) === "") plain.pop();
  return plain;
}

/** What is the same number to every type that holds it: "1.000e+00" is 1, also as an integer. */
function literalOf(cell: string): string {
  const bare = cell.replace(/^\+/, "").toLowerCase().replace("infinity", "inf");
  const value = Number(bare);
  return Number.isSafeInteger(value) && !Object.is(value, -0)
    ? String(value)
    : bare.replace(/^(-?)\./, "$10.");
}

/** Rows of numbers, without a row of names above them; null for a text that has nothing of them. */
export function readRows(text: string): Rows | NoNumber | null {
  const rows: string[][] = [];
  const lines: number[] = [];
  let seen = 0;
  for (const [i, line] of text.split(/\r\n?|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const cells = cellsOf(trimmed);
    const isHeader = seen++ === 0 && !cells.some((cell) => NUMBER.test(cell));
    if (isHeader) continue;
    const other = cells.find((cell) => !NUMBER.test(cell));
    if (other !== undefined) return { line: i + 1, cell: other.slice(0, 40) };
    rows.push(cells.map(literalOf));
    lines.push(i + 1);
  }
  return rows.length > 0 ? { rows, lines } : null;
}

/** Numbers as the literal of an array of these sizes. */
export function nested(numbers: readonly string[], [size, ...inner]: readonly number[]): string {
  if (size === undefined) return numbers[0] ?? "";
  const step = numbers.length / Math.max(1, size);
  const parts = Array.from({ length: size }, (_, i) =>
    nested(numbers.slice(i * step, (i + 1) * step), inner),
  );
  return `{${parts.join(", ")}}`;
}

/** Whether rows can be an array of these sizes: its rows, or all that it has in one row or column. */
export function canBe(dims: readonly number[], rows: number, columns: number): boolean {
  const count = dims.reduce((all, size) => all * size, 1);
  const isLine = rows === 1 || columns === 1;
  return count === rows * columns && (isLine || dims.at(-1) === columns);
}

/** Makes numbers the value of a parameter, unless the engine says why they cannot be. */
async function give(
  app: App,
  name: string,
  parameter: number,
  text: string,
  input: string,
): Promise<void> {
  const [fault] = await app.engines.typing.call("inputFaults", [takeText(app), parameter, text]);
  if (fault) {
    notify(app, w.refused(name, input, fault.message), "error");
    return;
  }
  const before = app.state.inputs.peek()[parameter] ?? { text: "", file: null };
  setInput(app, parameter, { text: withShared(before.text, text), file: null });
  await tellGiven(app, parameter, name, () => setInput(app, parameter, before));
}

/** Takes rows as an input: where several fit, the person says which. */
async function takeRows(
  app: App,
  name: string,
  rows: readonly string[][],
  parameter: number | null,
): Promise<void> {
  const columns = rows[0]?.length ?? 0;
  const sizes = w.sizes(rows.length, columns);
  const parameters = await parametersOf(app);
  const layouts = await layoutsOf(app, parameters);
  const numbers = rows.flat();
  const dimsOf = (at: number): number[] | null => {
    const layout = layouts[at];
    return layout?.ok ? layout.dims : null;
  };
  const isFor = (at: number): boolean => canBe(dimsOf(at) ?? [-1], rows.length, columns);
  const take = (at: number): Promise<void> => {
    const { name: input = "", shape = "", openType = "" } = parameters[at] ?? {};
    const literal = nested(numbers, dimsOf(at) ?? []);
    // Of open sizes the text has to say which they are.
    return give(app, name, at, openType ? `${shape} ${literal}` : literal, input);
  };
  if (parameter !== null) {
    const { name: input = "", shape = "" } = parameters[parameter] ?? {};
    if (isFor(parameter)) await take(parameter);
    else if (shape === "") notify(app, w.sizesFirst(name, input), "error");
    else notify(app, w.otherSizes(name, sizes, input, shape), "error");
    return;
  }
  const all = [...parameters.keys()].filter(isFor);
  // Those of just these rows are meant before those that have as many numbers.
  const same = all.filter((at) => dimsOf(at)?.join() === [rows.length, columns].join());
  const fits = same.length > 0 ? same : all;
  const [first, second] = fits;
  if (first === undefined) {
    const why = parameters.length > 0 ? w.noneFits(name, sizes) : w.noParameters(name);
    notify(app, why, "error");
  } else if (second === undefined) await take(first);
  else {
    const chosen = (at: number): void => tellFailure(app, take(at));
    writable(app.state).offered.value = { name, fits, give: chosen };
    openOverlay(app, "offer");
  }
}

/** Whether a file has rows of numbers; then they are an input, or a notice says why they are none. */
export async function takeNumbers(
  app: App,
  { name, text }: TextFile,
  parameter: number | null,
): Promise<boolean> {
  const isLong = text.length > MOST_TEXT;
  const cut = text.slice(0, MOST_TEXT);
  const read = readRows(isLong ? cut.slice(0, cut.lastIndexOf("\n") + 1) : text);
  if (read === null || !("rows" in read)) return false;
  const { rows, lines } = read;
  const wanted = rows[0]?.length ?? 0;
  const odd = rows.findIndex((row) => row.length !== wanted);
  if (isLong) notify(app, w.tooLong(name), "error");
  else if (odd < 0) await takeRows(app, name, rows, parameter);
  else notify(app, w.ragged(name, lines[odd] ?? 0, rows[odd]?.length ?? 0, wanted), "error");
  return true;
}

export const isTable = (name: string): boolean => /\.(csv|tsv)$/i.test(name);

/** Why a text is not put in the place of the program; null for a program, and what could be one that is broken. */
export async function whyNoProgram(app: App, { name, text }: TextFile): Promise<string | null> {
  const check: CheckResult | null =
    text.length > MOST_TEXT ? null : await app.engines.check(text, []).catch(() => null);
  if (check?.ok) return null;
  if (isTable(name)) {
    const read = readRows(text);
    if (read && "cell" in read) return w.noNumber(name, read.line, read.cell);
  }
  if (check?.kind === "foreign") return w.notOpened(name, check.diagnostics[0]?.message ?? "");
  if (/\.ipynb$/i.test(name)) return w.notOpened(name, w.notebook);
  return /\.py$/i.test(name) ? w.notOpened(name, w.python) : null;
}
