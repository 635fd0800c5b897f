/** Errors as they are written and drawn. */
import type { GrowthPoint, PrecisionRow, ValueError } from "../../../../wasm/engine_api";
import type { Order } from "./session";

/** JSON has no infinity: it arrives as null. */
export function errorText(n: number | null): string {
  if (n === null) return "∞";
  if (n === 0) return "0";
  return n >= 1e6 ? n.toExponential(1) : String(Number(n.toPrecision(3)));
}

/** Decades below 1 that a bar shows. */
const DECADES = 9;

/** How long the bar of a relative error is, from 0 to 1. */
export function barOf(n: number | null): number {
  if (n === null) return 1;
  return n <= 0 ? 0 : Math.max(0.02, Math.min(1, 1 + Math.log10(n) / DECADES));
}

const figure: Record<Order, (row: PrecisionRow) => number | null> = {
  order: (row) => -row.order,
  introduced: (row) => row.introduced,
  error: (row) => row.error.norm,
  ulp: (row) => row.error.ulp,
  relative: (row) => row.error.relative,
  grows: (row) => row.amplification,
  times: (row) => row.executions,
};

/** The largest first; by order of execution the first. */
export function sorted(rows: readonly PrecisionRow[], order: Order): PrecisionRow[] {
  const of = (row: PrecisionRow): number => figure[order](row) ?? Number.MAX_VALUE;
  return [...rows].sort((a, b) => of(b) - of(a) || a.order - b.order);
}

/** "[3,0]", of a tuple "{1}[3,0]". */
export function placeText({ path, index }: Pick<ValueError, "path" | "index">): string {
  const part = path.length > 0 ? `{${path.join(",")}}` : "";
  return `${part}[${index.join(",")}]`;
}

/** What a bucket of a histogram has: "0", "≤ ½", "≤ 1", "≤ 2" ... */
export function bucketText(bucket: number): string {
  if (bucket === 0) return "0";
  if (bucket === 1) return "≤ ½";
  if (bucket === 59) return "more";
  const most = 2 ** (bucket - 2);
  return most < 1e5 ? `≤ ${most}` : `≤ 2^${bucket - 2}`;
}

/** An error as a power of ten: what is not finite is above all others, none is below. */
export function heightOf(n: number | null): number {
  if (n === null) return 1;
  return n > 0 ? Math.log10(n) : Number.NEGATIVE_INFINITY;
}

/** Decades that the picture of a run shows at most. */
const MOST_DECADES = 18;

/** The powers of ten between which the errors of a run are drawn, whole ones. */
export function decades(points: readonly GrowthPoint[]): { least: number; most: number } {
  const heights = points.map(({ norm }) => heightOf(norm)).filter(Number.isFinite);
  const most = Math.ceil(heights.reduce((a, b) => Math.max(a, b), -MOST_DECADES));
  const low = Math.floor(heights.reduce((a, b) => Math.min(a, b), most));
  return { least: Math.max(Math.min(low, most - 1), most - MOST_DECADES), most };
}

/** A bar for each point whose value has an error, as one path. */
export function pathOfBars(
  points: readonly GrowthPoint[],
  least: number,
  most: number,
  width: number,
  height: number,
): string {
  const step = width / points.length;
  const bar = Math.max(step * (step > 4 ? 0.8 : 1), 0.5);
  let path = "";
  points.forEach(({ norm }, i) => {
    const share = (Math.min(heightOf(norm), most) - least) / (most - least);
    if (!Number.isFinite(share)) return;
    // The least error can be seen too.
    const y = height * (1 - Math.max(share, 0.02));
    path += `M${(i * step).toFixed(2)} ${height}V${y.toFixed(1)}h${bar.toFixed(2)}V${height}z`;
  });
  return path;
}

/** Points that follow one another in an iteration of the outermost loop. */
export interface LoopBand {
  begin: number;
  end: number;
  odd: boolean;
}

/** More than these would be one grey area: loops are drawn as wholes. */
const MOST_BANDS = 120;

/** Where the run is in a loop; by iteration, if that can be seen. */
export function loopBands(points: readonly GrowthPoint[]): LoopBand[] {
  const bands = (byIteration: boolean): LoopBand[] => {
    const found: (LoopBand & { key: number })[] = [];
    points.forEach(({ iterations }, i) => {
      const [outer] = iterations;
      if (outer === undefined) return;
      const key = byIteration ? outer : 0;
      const last = found.at(-1);
      if (last?.end === i && last.key === key) last.end = i + 1;
      else found.push({ begin: i, end: i + 1, odd: key % 2 === 1, key });
    });
    return found.map(({ begin, end, odd }) => ({ begin, end, odd }));
  };
  const fine = bands(true);
  return fine.length <= MOST_BANDS ? fine : bands(false);
}
