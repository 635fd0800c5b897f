/** What a grid is told of its cells, and what is marked in it. */
import type { CellPlace, CellRect } from "./viewport";

/** What is known of the cells of one window, row-major. */
export interface CellData {
  window: CellRect;
  /** Text in a cell; drawn when cells are large enough. */
  text: string[];
  /** Colour number, -1 for none. */
  tint: Int32Array;
  /** 1: padding, drawn hatched. 2: outside, not drawn. */
  kind: Uint8Array;
  /** Cells of different groups get a strong line between them; of different parts, a thin one. */
  group: Float64Array;
  part: Float64Array;
  /** -1 … 1 for a heat map, NaN for none. */
  heat: Float64Array | null;
  /** 1: on a path that is marked. */
  marked?: Uint8Array;
  /** Padding within blocks of many elements: rectangles, in cells, that may have fractions. */
  holes?: readonly CellRect[];
  /** A second line in cells that are large enough. */
  detail?(i: number): string;
}

export const PADDING = 1;
export const OUTSIDE = 2;

export interface Marks {
  selected: CellPlace | null;
  hovered: CellPlace | null;
  focused: boolean;
  dimmed: boolean;
  /** Cells that are followed, each by a colour and a letter. */
  pins?: readonly Pin[];
}
export interface Pin {
  place: CellPlace;
  /** A number of a pin colour. */
  colour: number;
  letter: string;
}

export interface Headers {
  /** Pixels of the row header (left) and the column header (top). */
  left: number;
  top: number;
  row(index: number): string;
  col(index: number): string;
}

/** A fresh window of cells without anything in them. */
export function emptyCells(window: CellRect): CellData {
  const n = window.rows * window.cols;
  return {
    window,
    text: new Array<string>(n).fill(""),
    tint: new Int32Array(n).fill(-1),
    kind: new Uint8Array(n),
    group: new Float64Array(n),
    part: new Float64Array(n),
    heat: null,
  };
}
