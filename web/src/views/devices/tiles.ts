/** A sharded array as rectangles: pure. */
import type { ShardedLeaf, ShardPiece } from "../../../../wasm/engine_api";

/** Tiles that are drawn along one dimension. */
export const MOST_TILES = 16;

export interface Tile {
  row: number;
  column: number;
  /** Numbers of the devices that have it. */
  devices: number[];
  /** Shares of the tile, along rows and columns, that are part of the array. */
  filled: [number, number];
}

export interface TilePicture {
  rows: number;
  columns: number;
  /** Dimensions that are divided and not drawn. */
  fixed: number[];
  isCut: boolean;
  tiles: Tile[];
}

/** The dimensions along the picture's rows and columns: the last two that are divided. */
function drawnDims({ tiles, dims }: ShardedLeaf): [number, number] {
  const divided = dims.map((_, d) => d).filter((d) => (tiles[d] ?? 1) > 1);
  const last = divided.at(-1) ?? dims.length - 1;
  const before = divided.at(-2) ?? (last > 0 ? last - 1 : -1);
  // A single divided dimension is drawn where it lies among the last two.
  return divided.length === 1 && last === dims.length - 2 ? [last, last + 1] : [before, last];
}

function share(piece: ShardPiece, leaf: ShardedLeaf, dim: number): number {
  const size = leaf.tileSizes[dim] ?? 0;
  return size === 0 ? 1 : ((piece.limit[dim] ?? 0) - (piece.start[dim] ?? 0)) / size;
}

export function tilePicture(leaf: ShardedLeaf): TilePicture {
  const [down, across] = drawnDims(leaf);
  const countOf = (dim: number): number => leaf.tiles[dim] ?? 1;
  const fixed = leaf.tiles.flatMap((n, d) => (n > 1 && d !== down && d !== across ? [d] : []));
  const tiles = new Map<string, Tile>();
  for (const piece of leaf.devices) {
    if (fixed.some((d) => piece.tile[d] !== 0)) continue;
    const row = piece.tile[down] ?? 0;
    const column = piece.tile[across] ?? 0;
    if (row >= MOST_TILES || column >= MOST_TILES) continue;
    const key = `${row} ${column}`;
    const tile = tiles.get(key);
    if (tile) tile.devices.push(piece.device);
    else {
      const filled: [number, number] = [
        down < 0 ? 1 : share(piece, leaf, down),
        across < 0 ? 1 : share(piece, leaf, across),
      ];
      tiles.set(key, { row, column, devices: [piece.device], filled });
    }
  }
  return {
    rows: Math.min(MOST_TILES, countOf(down)),
    columns: Math.min(MOST_TILES, countOf(across)),
    fixed,
    isCut: Math.max(countOf(down), countOf(across)) > MOST_TILES,
    tiles: [...tiles.values()],
  };
}

/** "0, 1, 2 …": the first of some devices. */
export function deviceList(devices: readonly number[], most: number): string {
  const shown = devices.slice(0, most).join(", ");
  return devices.length > most ? `${shown} … (${devices.length})` : shown;
}
