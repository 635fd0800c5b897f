/** Errors as they are written and drawn. */
import type { PrecisionRow, ValueError } from "../../../../wasm/engine_api";
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
