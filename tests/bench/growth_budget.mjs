// What of a benchmark of growth there is time for: what calls will take on larger programs, by what they took.

/** Milliseconds that a call may take for `size`, by its times [size, ms] so far: as the last two grew, but at least in proportion; 0 without any. */
export function expected(points, size) {
  if (points.length === 0) return 0;
  const [last, ms] = points.at(-1);
  const before = points.at(-2);
  const slope = before ? Math.log(ms / before[1]) / Math.log(last / before[0]) : 1;
  // Short times say little about how they grow.
  return ms * (size / last) ** Math.min(2, Math.max(1, Number.isFinite(slope) ? slope : 1));
}

/**
 * Which calls to measure for a program of `size`: those that are expected to take at most `most` milliseconds, the
 * shortest first, while all of them stay below `budget`. `rows`: the points of each call by its name. The others are
 * left, each with the reason.
 */
export function affordable(rows, size, { most, budget }) {
  const costs = [...rows].map(([name, points]) => [name, expected(points, size)]);
  const taken = [];
  const left = new Map();
  let total = 0;
  for (const [name, ms] of costs.sort(([, a], [, b]) => a - b)) {
    if (ms <= most && total + ms <= budget) {
      taken.push(name);
      total += ms;
    } else {
      const takes = `takes about ${(ms / 1000).toPrecision(2)} s`;
      left.set(name, ms <= most ? `${takes}, and the time for all is used up` : takes);
    }
  }
  return { taken, left };
}
