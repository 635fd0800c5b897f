/** Layouts, their films and conversions, and images of memory. */
import type { SomeInstructions } from "./run_types";
import type { Diagnostic, ListWindow, TextRange } from "./text_types";

/**
 * An array and its layout in any notation, as text: the subject of every question about layouts.
 *
 *     f32[3,5]{1,0:T(2,2)}                an HLO shape
 *     morello: f32[6,8] [1, 0, 1 p(4)]    or morello: 6x8[1,0,1p(4)]
 *     cute: f32 (4,(2,8)):(16,(1,2))      or cute: Sw<3,4,3> o 0 o (8,64):(64,1)
 *     strides: f32[8,128] (128,1) offset=5, or byte_strides=(512,4) byte_offset=20
 *
 * The word in front is a key of `layoutNotations()`; without it the notation is recognised, so that
 * what people paste or write into a link works as it is. The element type may be left out (f32).
 */
export type LayoutSubject = string;

/** A notation for layouts: a row of the engine's table. */
export interface NotationInfo {
  /** In links and in front of a subject: "shape", "padded", "morello", "cute", "strides". */
  key: string;
  name: string;
  doc: string;
  /** Subjects worth looking at, without their key. */
  examples: string[];
}

/** What an array looks like in memory. Numbers beyond 2^53 are rounded, texts are exact. */
export interface LayoutInfo {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Key of the notation that the subject is written in. */
  notation: string;
  /** The subject again, with its key (but for shapes) and in its short form; "" if it is refused. */
  subject: LayoutSubject;
  /** Canonical text of the shape; without layout where the notation is not that of shapes. */
  shape: string;
  elementType: string;
  elementBits: number;
  dims: number[];
  /** Empty where the notation is not that of shapes, as are the tiles. */
  minorToMajor: number[];
  /** Tile sizes; -1 for `*`. */
  tiles: number[][];
  /** Major to minor, after every tile. */
  physicalDims: number[];
  logicalElements: number;
  /** With padding and tail alignment. */
  physicalElements: number;
  logicalBytes: number;
  physicalBytes: number;
  /** "Unpadded size 60B, extra memory due to padding 36B (1.6x expansion)" or "no padding". */
  sizes: string;
  /** One sentence per cause of padding: "dimension 1: 5 padded to 6 by tile size 2". */
  causes: string[];
  /** What padding holds, where the layout says so: "9" of PAD(3,5;9); "" where it may be anything. */
  paddingValue: string;
  memorySpace: number;
  /** Sizes, not below `dims`, of the grid with the padding that has an index: of the first tile. */
  paddedDims: number[];
  /** The offset as a sum of parts of the index, "24*(i1/4) + 4*i0 + i1%4"; "" if it is no sum. */
  formula: string;
  /**
   * The terms of the layout documents for this array: "rank", "true rank", "dimensions" (their letters
   * with sizes: "y 3, x 5"); then every part of the layout as it is written, "1,0", "T(2,2)", "S(1)".
   */
  terms: { term: string; text: string }[];
  /**
   * Properties of the layout in the terms of the notation's own tools, a line each: "fully
   * contiguous".
   */
  facts: string[];
}

/** A layout in another notation. */
export interface LayoutConversion {
  /** Key and name of the notation. */
  notation: string;
  name: string;
  /** A subject with the same address for every element; "" when the notation has none. */
  text: LayoutSubject;
  /** Why there is none, a sentence. */
  reason: string;
  /**
   * What the text leaves out, a sentence: "The buffer ends after 1020 elements, not 1024."; in the
   * subject's own notation a plainer text: "The same addresses as f32[8,128]{1,0}."
   */
  note: string;
}

/** Two layouts against each other. */
export interface LayoutComparison {
  /** Both are valid and have the same dimensions; if not, `text` says why. */
  comparable: boolean;
  /** Every element has the same offset. */
  equal: boolean;
  /** False: too many elements to compare them all; `difference` may not be the first. */
  exact: boolean;
  /** The buffers, and the elements, take the same number of bytes (bits). */
  sameSize: boolean;
  sameBits: boolean;
  /** The first element in row-major order that lies elsewhere. */
  difference: { index: number[]; offsetA: number; offsetB: number } | null;
  /** The outcome in a sentence. */
  text: string;
}

/** Offsets of a window of logical elements, row-major. */
export interface LogicalWindow {
  rows: number;
  cols: number;
  /** Element offset in memory; -1 where the window leaves the array. */
  offsets: Float64Array;
}

/** What stands at consecutive element offsets. */
export interface LinearWindow {
  begin: number;
  count: number;
  /** count × rank logical indices; -1 for padding. */
  indices: Float64Array;
}

/** The address of one element, step by step, with the numbers filled in. */
export interface AddressInfo {
  ok: boolean;
  offset: number;
  byteOffset: number;
  /** First bit within the byte, for packed elements. */
  bitInByte: number;
  /** Index of the tile at the first level and within it; empty without tiles. */
  tileIndex: number[];
  withinTile: number[];
  steps: { title: string; lines: string[] }[];
}

/** A stretch of the memory image of a value in a layout. */
export interface MemoryWindow {
  begin: number;
  bytes: Uint8Array;
  /** 1 where the byte holds no element at all; it is 0 then, or of the layout's padding value. */
  padding: Uint8Array;
}

/** A step of a film: the array after the step. Its elements are in row-major order over `dims`. */
export interface FilmFrame {
  kind: "start" | "pad" | "reshape" | "transpose" | "swizzle" | "place";
  /** "pad to whole tiles (2,2)" */
  title: string;
  dims: number[];
  /** Elements and padding: the product of `dims`. */
  slots: number;
  /** What the step does to the bytes: nothing; the buffer grows at its end; elements move. */
  effect: "bitcast" | "extend" | "move";
  /** Of "transpose": dimension i is dimension permutation[i] of the frame before. */
  permutation: number[];
}

/** The film of a layout: frame 0 is the array, the last one the buffer. */
export interface FilmInfo {
  ok: boolean;
  diagnostics: Diagnostic[];
  frames: FilmFrame[];
}

/** The cost of copying an array from one layout to another. */
export interface RelayoutInfo {
  ok: boolean;
  /** Of `from`, then of `to`; ranges are in the text of their side. */
  diagnostics: (Diagnostic & { side: "from" | "to" })[];
  /** Why the two cannot be compared (other dimensions, other type), "" otherwise. */
  problem: string;
  /** No byte moves: the same places in buffers of one size, in the same memory. */
  bitcast: boolean;
  /** One sentence: why it is a bitcast, or what moves. */
  reason: string;
  elements: number;
  /** Of elements, without padding. */
  bytesRead: number;
  bytesWritten: number;
  /** Of the whole buffers. */
  fromBytes: number;
  toBytes: number;
  /**
   * Pieces that are consecutive on both sides, and the longest one in bytes; 0 when there are too many
   * elements to tell.
   */
  runs: number;
  runBytes: number;
  /** Cache lines of 64 bytes that hold elements. */
  linesRead: number;
  linesWritten: number;
  /** Pieces and lines were counted; false: estimated, for there are many elements. */
  exact: boolean;
}

/** A layout an array could have. */
export interface LayoutCandidate {
  /** Canonical text of the shape with this layout. */
  shape: string;
  bytes: number;
  padding: number;
  /** bytes / bytes without padding, 0 for nothing but padding. */
  expansion: number;
  /** One sentence: where the padding comes from, "no padding". */
  cause: string;
  /** "as written", "TPU convention", "untiled", "other order, TPU convention", ... */
  note: string;
}

/** Layouts for the type, sizes and order of a shape. */
export interface LayoutAdvice {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** What a TPU would choose for this type and these sizes, and by which rule; null for types without one. */
  tpu: (LayoutCandidate & { rule: string }) | null;
  /** Orders and tilings of the same sizes, least waste first. */
  candidates: LayoutCandidate[];
}

/** A buffer of a memory report or of a program. Bytes are -1 where not known. */
export interface MemoryBuffer {
  /** Of the instruction, or the label of the report; may be "". */
  name: string;
  /** With layout, "" if the report has none. */
  shape: string;
  /** As the report says; for a program: of its layout. */
  bytes: number;
  unpaddedBytes: number;
  /** And where it comes from, in a sentence: "no padding", "" where not known. */
  paddingBytes: number;
  cause: string;
  /** What would make it smaller, and by how much: "swap dimensions 1 and 2: saves 3.0 GiB"; or "". */
  advice: string;
  /** "HLO temp", "parameter", "constant", "output", ... */
  type: string;
  /** op_name of the metadata, and "file:line". */
  opName: string;
  source: string;
  /** In the text. */
  range: TextRange;
  /** Name of the memory it is in: "HBM", "VMEM"; "" in reports, which are about one. */
  space: string;
  /** Of a program: positions in the schedule at which it lives (both included); -1 in reports. */
  begin: number;
  end: number;
  /** Of a program: whether it lives at the peak of its memory. */
  atPeak?: boolean;
}

/** Which buffers an answer has, at most 1,000 (which is the default): the largest come first. */
export interface BufferWindow extends Partial<ListWindow> {
  by?: "size" | "padding";
  /**
   * Only those that live at this position of a program (of what is called there, all), or at the
   * peak of their memory.
   */
  at?: number | "peak";
}

/** What XLA says when a program does not fit (`check` calls such a text "memory-report"). */
export interface MemoryReport {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** "hbm", "vmem", ...; "device" for a GPU or CPU. */
  space: string;
  /** Bytes; -1 where the report does not say. */
  used: number;
  capacity: number;
  exceeded: number;
  /** The lines of the summary: reserved, program, arguments, HLO temp, ... */
  totals: { name: string; bytes: number; text: string }[];
  /** Of all buffers. */
  paddingBytes: number;
  bufferCount: number;
  /** Of the window. */
  buffers: MemoryBuffer[];
}

/** What memory a program takes when it is executed in the order of its text. */
export interface ProgramMemory {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** The entry computation. */
  computation: string;
  /** False: some arrays have no known size and are left out. */
  complete: boolean;
  /** Of the schedule. */
  positions: number;
  /** By number, the device's main memory first: bytes of one make no room in another. */
  spaces: ProgramSpace[];
  /** The instruction at the position that the window is about; null where it is about none. */
  position: { name: string; range: TextRange } | null;
  /** Of those that the window is about. */
  bufferCount: number;
  /** Of the window. */
  buffers: MemoryBuffer[];
}

/** What a program takes of one memory. */
export interface ProgramSpace {
  /** n of S(n); "HBM", "VMEM", ..., "S(3)" for one of the device's own; what it is, a clause. */
  space: number;
  name: string;
  doc: string;
  peakBytes: number;
  /** Position in the schedule at which it is reached, and the instruction there as it is shown. */
  peakAt: number;
  peakName: string;
  /** Bytes that the padding of all buffers at the peak takes. */
  peakPadding: number;
  /** What lives at the peak, by kind: together they are the peak. */
  parameterBytes: number;
  constantBytes: number;
  outputBytes: number;
  temporaryBytes: number;
  /** Live bytes at every position of the schedule (at most 4096 points, the largest of each stretch). */
  timeline: number[];
}

/** What one byte of a memory image holds. */
export interface ByteInfo {
  /** 0 to 255; -1 outside the image. */
  value: number;
  /** From the low bits up. */
  parts: {
    /** "low nibble", "bit 3", "byte 2 of 4 (byte 0 is the least significant)", ... */
    name: string;
    firstBit: number;
    lastBit: number;
    padding: boolean;
    /** Of the element; [] for padding. */
    index: number[];
    /** Of the element, or of the padding; "" where that is not specified. */
    value: string;
    /** "low nibble: element (0,1) = 3", or why it is padding. */
    text: string;
  }[];
}

/**
 * A buffer in the picture of a program's memory: a rectangle of positions and bytes. What a called
 * computation makes at different times can be at one place, at the position of the call.
 */
export interface PlacedBuffer {
  name: string;
  shape: string;
  type: string;
  /** Where it could lie: the lowest place that is free while it lives. */
  offset: number;
  bytes: number;
  paddingBytes: number;
  /** Positions of the entry computation, both included. */
  begin: number;
  end: number;
  /** Of its instruction's name. */
  range: TextRange;
}

/** The buffers of one memory space over time. */
export interface MemoryPicture {
  ok: boolean;
  space: number;
  positions: number;
  peakBytes: number;
  /** Where the last buffer ends; `rest` lies above. */
  bytes: number;
  /** The largest, at most 400. */
  buffers: PlacedBuffer[];
  /** Bytes of all smaller ones: the most in each of at most 1,024 stretches of positions. */
  rest: number[];
}

/** Something that would lower the peak of the device's main memory, by itself. */
export interface MemorySaving {
  kind: "donation" | "in-place" | "schedule" | "layout";
  /** In a sentence. */
  what: string;
  savedBytes: number;
  peakBytes: number;
  instructions: SomeInstructions;
}
