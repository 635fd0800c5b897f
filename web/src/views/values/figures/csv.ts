/** An array as comma-separated values, which spreadsheets read. */
import type { ValueInfo, ValueRef, ValueWindow, WindowSpec } from "../../../../../wasm/engine_api";

/** Elements of a file at most. */
export const MOST_CSV = 1_000_000;

type Windows = (ref: ValueRef, window: WindowSpec) => Promise<ValueWindow>;

/** The index of the n-th slice among those of the leading dimensions. */
function leading(n: number, dims: readonly number[]): number[] {
  const index: number[] = [];
  let rest = n;
  for (const size of [...dims].reverse()) {
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

/** Complex numbers have commas. */
const quoted = (text: string): string => (text.includes(",") ? `"${text}"` : text);

/**
 * A line for each row of the last dimension. With more than two dimensions the index in all but the
 * last stands before it.
 */
export async function csvOf({ dims }: ValueInfo, ref: ValueRef, windows: Windows): Promise<string> {
  const rank = dims.length;
  const [outer, rows, cols] = [dims.slice(0, -2), dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  const slices = outer.reduce((product, size) => product * size, 1);
  const lines: string[] = [];
  for (let n = 0; n < slices; n++) {
    const at = leading(n, outer);
    const origin = [...at, ...new Array(Math.min(rank, 2)).fill(0)];
    const rowDim = rank >= 2 ? rank - 2 : -1;
    const window = await windows(ref, { origin, rowDim, colDim: rank - 1, rows, cols });
    for (let row = 0; row < window.rows; row++) {
      const cells = window.text.slice(row * window.cols, (row + 1) * window.cols).map(quoted);
      lines.push([...(rank > 2 ? [...at, row] : []), ...cells].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}
