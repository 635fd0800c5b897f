/** The figures of an array: statistics, a histogram, blocks of a slice; and a number in every float type. */
import type { WindowSpec } from "./run_types";

/** Which number of a complex element is meant; phases are in radians. */
export const COMPLEX_PARTS = ["magnitude", "phase", "real", "imaginary"] as const;
export type ComplexPart = (typeof COMPLEX_PARTS)[number];

export interface ArrayOptions {
  /** What the engine cannot know of the array of another build: its element type, "f32". */
  type: string;
  /** Default: the magnitude. */
  part?: ComplexPart;
}

/** Of complex elements everything is about their part. Null: beyond what JSON can hold. */
export interface ValueFigures {
  count: number;
  /** Of these elements are the figures up to `exactQuantiles`. */
  finite: number;
  mean: number | null;
  /** Of a whole population. */
  deviation: number | null;
  min: number;
  max: number;
  /** The smallest magnitude that is not 0; 0 if there is none. */
  leastMagnitude: number;
  /** None without finite elements. */
  quantiles: { share: number; value: number }[];
  /** Otherwise they are within 1/256 of themselves. */
  exactQuantiles: boolean;
  /** -0 among them. */
  zeros: number;
  negativeZeros: number;
  nans: number;
  /** +Inf, and -Inf. */
  infinities: number;
  negativeInfinities: number;
  /** Below the smallest normal number of the element type. */
  denormals: number;
  /** Different finite values, as far as they were counted. */
  distinct: number;
  /** There are more of them. */
  moreDistinct: boolean;
}

export interface HistogramOptions extends ArrayOptions {
  /** "log": of the magnitudes, without zeros. */
  scale: "linear" | "log";
}

export interface ValueHistogram {
  /** One more than counts, ascending; both empty if nothing can be counted. */
  edges: Float64Array;
  counts: Float64Array;
  /** NaN, infinities, and zeros on a log scale. */
  leftOut: number;
}

/** What is in a block beside finite numbers; bits of `ValueTiles.marks`. */
export const TILE_NAN = 1;
export const TILE_INFINITY = 2;

/** A slice in blocks of elements; row-major. */
export interface ValueTiles {
  rows: number;
  cols: number;
  /** Elements of a block; blocks at the end may have fewer. */
  rowStep: number;
  colStep: number;
  /** Of the finite elements; NaN in blocks without any. */
  mean: Float64Array;
  min: Float64Array;
  max: Float64Array;
  /** The share of a block that is 0 or -0. */
  zeros: Float64Array;
  marks: Uint8Array;
  /** Rows and columns of the window that are zeros alone. */
  zeroRows: number;
  zeroCols: number;
}

/** What of an array is an image: rows and columns; the other dimensions are fixed. */
export interface ImageSpec extends WindowSpec {
  /** Its first three or four elements are red, green, blue and opacity; otherwise it is grey. */
  channelDim: number;
  /** What is dark and what is bright; default 0 and 1. */
  low: number;
  high: number;
}

export interface ValueImage {
  /** Of pixels. */
  rows: number;
  cols: number;
  /** A pixel is every so many-th element of rows and of columns. */
  step: number;
  channels: 1 | 3 | 4;
  /** Pixels with a NaN, which are transparent. */
  nans: number;
  /** Row-major: red, green, blue, opacity. */
  pixels: Uint8Array;
}

/** A number converted to a float type. Numbers are texts: some are NaN or infinite. */
export interface TypedNumber {
  type: string;
  /** With all of its decimal digits. */
  value: string;
  hex: string;
  /** Bits, the most significant first; "" for what a type does not have. */
  sign: string;
  exponent: string;
  mantissa: string;
  kind: "zero" | "subnormal" | "normal" | "infinity" | "NaN";
  /** The neighbours; "nan" where there is none. */
  below: string;
  above: string;
  /** (value - given) / given */
  relativeError: string;
}

/** A whole number in an integer type: its low bits in two's complement. Numbers are decimal texts. */
export interface TypedInteger {
  type: string;
  value: string;
  /** What the bits are as unsigned, or, of an unsigned type, as signed. */
  otherwise: string;
  hex: string;
  /** The most significant first. */
  bits: string;
  /** The neighbours; "" beyond the ends of the type. */
  below: string;
  above: string;
  /** The value is the given one. */
  exact: boolean;
}

export interface NumberTable {
  /** The given number, with all of its decimal digits. */
  f64: string;
  /** In every float type, the widest first. */
  types: TypedNumber[] /** A whole number of 64 bits in every integer type, the widest first; else none. */;
  integers: TypedInteger[];
}
