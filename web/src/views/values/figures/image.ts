/** An array as an image: which dimensions it has, what is dark and bright, how large it is. Pure. */
import type { ValueFigures } from "../../../../../wasm/engine_api";
import type { Axes } from "../../../ui/axes";

/** Pixels down and across at most. */
export const MOST_PIXELS = 2048;
const COLOURS = [3, 4];
const ZOOMS = [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** The dimension of the colours: the last one (HWC), or the one before rows and columns (CHW). */
function channelOf(dims: readonly number[]): number {
  const rank = dims.length;
  if (rank < 3) return -1;
  const candidates = [rank - 1, rank - 3];
  const has = (sizes: readonly number[]): number | undefined =>
    candidates.find((d) => sizes.includes(dims[d] ?? 0));
  return has(COLOURS) ?? has([1]) ?? -1;
}

/** The axes of an image of an array, unless others are chosen. */
export function imageAxes(dims: readonly number[]): Axes {
  const channel = channelOf(dims);
  const others = dims.map((_, d) => d).filter((d) => d !== channel);
  return {
    row: others.length >= 2 ? (others.at(-2) ?? -1) : -1,
    col: others.at(-1) ?? -1,
    channel,
    fixed: new Array(dims.length).fill(0),
  };
}

export type Brightness = { low: number; high: number };

/** "fit", or the two numbers with a comma; what else is written is as usual. */
export function brightnessOf(text: string, figures: Pick<ValueFigures, "min" | "max">): Brightness {
  const [low, high] = text.split(",").map(Number);
  const isPair = low !== undefined && high !== undefined && Number.isFinite(low + high);
  return isPair ? { low, high } : { low: figures.min, high: figures.max };
}

/** What is usual for an element type: bytes are colours as they are. */
export const usualBrightness = (type: string): string => (type === "u8" ? "0,255" : "fit");

/** Pixels of the screen for one of the image, so that all of it is seen: whole ones if they fit. */
export function fittingZoom(
  rows: number,
  cols: number,
  room: { width: number; height: number },
): number {
  const zoom = Math.min(room.width / Math.max(1, cols), room.height / Math.max(1, rows));
  return zoom >= 1 ? Math.min(32, Math.floor(zoom)) : Math.max(0.02, zoom);
}

/** The next zoom up or down. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const further = ZOOMS.filter((z) => (direction > 0 ? z > zoom + 0.01 : z < zoom - 0.01));
  return (direction > 0 ? further[0] : further.at(-1)) ?? zoom;
}
