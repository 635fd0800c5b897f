/**
 * What cells are coloured by: one row each. Where an element lies is exact; registers, sublanes,
 * lanes, banks and cache lines are models, whose assumptions are shown. A colour is never the only
 * carrier of information: `says` describes it in words.
 */
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { TILE_COLOURS } from "../../grid/theme";
import { words } from "../../strings";
import { type Tiling, tileColour } from "./tiling";

/** Where an element lies: in memory, and in the pictures. */
export interface Lie {
  info: LayoutInfo;
  tiling: Tiling;
  offset: number;
  row: number;
  col: number;
}

export interface Colouring {
  /** A colour number, -1 for none. */
  tint?(lie: Lie): number;
  /** 0 to 1, light to strong. */
  heat?(lie: Lie): number;
  /** For the live region; "" if another part of it says so already. */
  says?(lie: Lie): string;
  /** So many consecutive elements have one colour; nothing where it is not so. */
  span?(info: LayoutInfo, tiling: Tiling): number;
}

const byteOf = ({ info, offset }: Lie): number => Math.floor((offset * info.elementBits) / 8);

// A vector register of a TPU: 8 sublanes of 128 lanes of 32 bits, in the order of memory.
const LANES = 128;
const WORD_BYTES = 4;
const SUBLANE_BYTES = LANES * WORD_BYTES;
const SUBLANES = 8;
const REGISTER_BYTES = SUBLANES * SUBLANE_BYTES;
const LINE_BYTES = 64;
const BANKS = 32;

const registerOf = (lie: Lie): number => Math.floor(byteOf(lie) / REGISTER_BYTES);
const sublaneOf = (lie: Lie): number => Math.floor(byteOf(lie) / SUBLANE_BYTES) % SUBLANES;
const laneOf = (lie: Lie): number => Math.floor(byteOf(lie) / WORD_BYTES) % LANES;
const lineOf = (lie: Lie): number => Math.floor(byteOf(lie) / LINE_BYTES);
const bankOf = (lie: Lie): number => Math.floor(byteOf(lie) / WORD_BYTES) % BANKS;
const partOf = ({ tiling, offset }: Lie): number => Math.floor(offset / tiling.part);

/**
 * A colour of the n-th of many. Neighbours differ, and so do those 8, 16, 32, 64 or 128 apart: rows
 * of a picture are often so long.
 */
export function spread(n: number): number {
  let sum = n;
  for (let rest = n; rest >= TILE_COLOURS; ) {
    rest = Math.floor(rest / TILE_COLOURS);
    sum += 3 * (rest % TILE_COLOURS);
  }
  return sum % TILE_COLOURS;
}

const w = words.layout;
const inRegister = (lie: Lie): string => w.inRegister(registerOf(lie), sublaneOf(lie), laneOf(lie));

const table = {
  tile: {
    tint: ({ tiling, offset }) => tileColour(tiling, offset),
    span: (_, { volume }) => volume,
  },
  subtile: {
    tint: (lie) => spread(partOf(lie)),
    span: (_, { part }) => part,
    says: (lie) => w.subtile(partOf(lie)),
  },
  row: { tint: ({ row }) => row % TILE_COLOURS },
  column: { tint: ({ col }) => col % TILE_COLOURS },
  address: {
    heat: ({ info, offset }) =>
      info.physicalElements > 1 ? offset / (info.physicalElements - 1) : 0,
  },
  line: {
    tint: (lie) => spread(lineOf(lie)),
    span: ({ elementBits }) => (LINE_BYTES * 8) / elementBits,
    says: (lie) => w.cacheLine(lineOf(lie)),
  },
  register: {
    tint: (lie) => spread(registerOf(lie)),
    span: ({ elementBits }) => (REGISTER_BYTES * 8) / elementBits,
    says: inRegister,
  },
  sublane: {
    tint: (lie) => sublaneOf(lie),
    says: inRegister,
  },
  lane: {
    heat: (lie) => laneOf(lie) / (LANES - 1),
    says: inRegister,
  },
  bank: {
    heat: (lie) => bankOf(lie) / (BANKS - 1),
    says: (lie) => w.bank(bankOf(lie)),
  },
  none: {},
} satisfies Record<string, Colouring>;

export type ColourMode = keyof typeof table;
export const colourings: Record<ColourMode, Colouring> = table;
export const COLOUR_MODES = Object.keys(table) as ColourMode[];

/** What blocks of so many elements are coloured by: places in memory, where their own colours are many. */
export function modeFor(
  mode: ColourMode,
  info: LayoutInfo,
  tiling: Tiling,
  block: number,
): ColourMode {
  if (block <= 1 || mode === "none" || mode === "address") return mode;
  return (colourings[mode].span?.(info, tiling) ?? 0) >= block ? mode : "address";
}
