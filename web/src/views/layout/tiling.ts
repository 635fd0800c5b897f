/** How the offsets of a layout are divided into tiles. Pure. */
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { TILE_COLOURS } from "../../grid/theme";

/** How offsets are divided into tiles: all numbers count elements. */
export interface Tiling {
  /** Consecutive offsets that belong to one outermost tile (without tiles: to one minor row). */
  volume: number;
  /** Of one innermost tile; the same as `volume` when there is one level. */
  part: number;
  /** Tiles that lie side by side before the next row of tiles begins. */
  across: number;
}

const product = (sizes: number[]): number => sizes.reduce((a, b) => a * b, 1);

/** The largest step of an address that is a sum, "8*i0 + i1": 8. */
function outerStep(formula: string): number {
  const parts = formula.split(/[^\d*]+/).filter((part) => part.endsWith("*"));
  return Math.max(1, ...parts.map((part) => Number.parseInt(part, 10)));
}

export function tilingOf(info: LayoutInfo): Tiling {
  const rank = info.dims.length;
  const minor = info.minorToMajor[0];
  const first = info.tiles[0];
  if (minor === undefined && rank > 0) {
    // Other notations have no tiles: the outermost step of the address counts as one.
    const sizes = info.physicalDims;
    if (sizes.length < 2) {
      // One size in memory: a single run, or strides with gaps, whose sizes cannot be told.
      const step = outerStep(info.formula);
      const volume = step > 1 ? step : Math.max(1, info.physicalElements);
      return { volume, part: volume, across: 1 };
    }
    const part = Math.max(1, sizes[sizes.length - 1] ?? 1);
    return { volume: Math.max(1, product(sizes.slice(1))), part, across: 1 };
  }
  if (!first) {
    // Without tiles the first sizes in memory are those of the dimensions, with what pads them.
    const volume = Math.max(1, minor === undefined ? 1 : (info.paddedDims[minor] ?? 1));
    return { volume, part: volume, across: 1 };
  }
  const kept = first.filter((size) => size > 0).length;
  const outer = Math.max(rank, first.length) - (first.length - kept);
  let inner = kept;
  let whole = true;
  for (const tile of info.tiles.slice(1)) {
    // A later tile with more entries cuts across the tiles before it.
    if (tile.length > inner) whole = false;
    inner += tile.filter((size) => size > 0).length;
  }
  const last = info.tiles[info.tiles.length - 1] ?? first;
  const part = product(last.filter((size) => size > 0));
  const volume = whole ? product(info.physicalDims.slice(outer)) : part;
  const across = whole ? (info.physicalDims[outer - 1] ?? 1) : 1;
  return { volume: Math.max(1, volume), part: Math.max(1, part), across: Math.max(1, across) };
}

/** Neighbouring tiles differ, to the side and below. */
export function tileColour(tiling: Tiling, offset: number): number {
  const id = Math.floor(offset / tiling.volume);
  return ((id % tiling.across) + 3 * Math.floor(id / tiling.across)) % TILE_COLOURS;
}
