type Points = readonly (readonly [number, number])[];

/** Milliseconds that a call may take for `size`, by its points [size, ms]. */
export function expected(points: Points, size: number): number;
/** The calls to measure for `size`, the shortest first, and those to leave, with the reason. */
export function affordable(
  rows: ReadonlyMap<string, Points>,
  size: number,
  limits: { most: number; budget: number },
): { taken: string[]; left: Map<string, string> };
