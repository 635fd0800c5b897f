/** Single elements that an input has written over: `iota with [0,1] = 5, [2,2] = nan`. Pure. */

export interface Cell {
  index: number[];
  /** A literal. */
  text: string;
}

const CELL = /\s*\[([^\]]*)\]\s*=\s*(.*?)\s*(?:,\s*(?=\[)|$)/suy;

/** A specification without its cells, and these; where they cannot be read they stay what they are. */
export function parseCells(spec: string): { base: string; cells: Cell[] } {
  const at = spec.lastIndexOf("with");
  const rest = spec.slice(at + "with".length).trimStart();
  if (at < 0 || !rest.startsWith("[")) return { base: spec, cells: [] };
  const cells: Cell[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < rest.length) {
    const found = CELL.exec(rest);
    const index = found?.[1]?.trim() === "" ? [] : found?.[1]?.split(",").map(Number);
    if (!found || !index?.every(Number.isInteger)) return { base: spec, cells: [] };
    cells.push({ index, text: found[2] ?? "" });
  }
  return { base: spec.slice(0, at).trimEnd(), cells };
}

export function withCells(base: string, cells: readonly Cell[]): string {
  if (cells.length === 0) return base;
  const list = cells.map(({ index, text }) => `[${index.join(",")}] = ${text}`).join(", ");
  return `${base ? `${base} ` : ""}with ${list}`;
}

export const keyOf = (index: readonly number[]): string => index.join(",");

/** The specification with some elements written over; a text of "" gives one back as it was. */
export function writeCells(spec: string, written: readonly Cell[]): string {
  const { base, cells } = parseCells(spec);
  const all = new Map(cells.map((cell) => [keyOf(cell.index), cell]));
  for (const cell of written) {
    const key = keyOf(cell.index);
    all.delete(key);
    if (cell.text.trim() !== "") all.set(key, { index: cell.index, text: cell.text.trim() });
  }
  return withCells(base, [...all.values()]);
}

/** What was copied from a spreadsheet or a text: rows of cells. */
export function pastedRows(text: string): string[][] {
  const lines = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n");
  const isTabbed = text.includes("\t");
  return lines.map((line) =>
    (isTabbed ? line.split("\t") : line.split(/[,;\s]+/)).map((cell) => cell.trim()),
  );
}
