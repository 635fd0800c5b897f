/** Shardings: which device has which part of which array. */
import type { TextRange } from "./text_types";

export interface ShardingsOptions {
  /** The instruction whose pieces are wanted, and its computation; without: none. */
  name?: string;
  computation?: string;
}

/** An instruction with a sharding. */
export interface ShardingRow {
  name: string;
  shown: string;
  computation: string;
  opcode: string;
  shape: string;
  sharding: string;
  range: TextRange;
}

/** What a device has: elements from `start` up to `limit`, and `padding` to the tile's size. */
export interface ShardPiece {
  device: number;
  /** The position of its tile among the tiles. */
  tile: number[];
  start: number[];
  limit: number[];
  padding: number[];
}

/** An array, or one of a tuple. */
export interface ShardedLeaf {
  /** Into tuples. */
  index: number[];
  /** As the program has it: of a partitioned program, one device's. */
  shape: string;
  /** Sizes of the whole array. */
  dims: number[];
  sharding: string;
  /** How many tiles there are in each dimension, and the elements of one. */
  tiles: number[];
  tileSizes: number[];
  /** How many devices have the same piece. */
  holders: number;
  /** Who has what, in a sentence. */
  words: string;
  deviceCount: number;
  /** The first 1,024, in the order of their numbers. */
  devices: ShardPiece[];
}

export interface ShardingsResult {
  ok: boolean;
  /** Instructions with a sharding; `rows` are the first 1,000. */
  count: number;
  rows: ShardingRow[];
  focus: { row: ShardingRow; leafCount: number; leaves: ShardedLeaf[] } | null;
}
