// How two engines compare that took turns in the same rounds: by the rounds, not by their luckiest times.

/** The middle of a list, of two the mean. */
export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Of [name, { r }] whose `r` are the times of rounds, the entry with the least median; undefined without any. */
export function fastest(entries) {
  return entries
    .filter(([, { r }]) => r?.length > 0)
    .sort(([, a], [, b]) => median(a.r) - median(b.r))[0];
}

/** The middle of ratios, one for each round, and half the range between their quartiles; null for none. */
function summary(ratios) {
  if (ratios.length === 0) return null;
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (part) => {
    const place = part * (sorted.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
  };
  return { middle: median(sorted), spread: (at(0.75) - at(0.25)) / 2 };
}

/** How many times as long as `ours` `theirs` take: of the ratios within rounds, since what slows the machine slows both. */
export function ratioOf(theirs, ours) {
  const rounds = Math.min(theirs?.length ?? 0, ours?.length ?? 0);
  return summary(Array.from({ length: rounds }, (_, i) => theirs[i] / ours[i]));
}

/**
 * The same for the best of several peers. In each round `ours` is compared with the peer that is the fastest in the
 * other rounds: the fastest of several equal ones in the same rounds is the luckiest of them, and nobody is as fast.
 */
export function ratioToBest(entries, ours) {
  const ratios = [];
  for (const [k, ms] of (ours ?? []).entries()) {
    const present = entries.filter(([, { r }]) => r?.length > k);
    const inOthers = present.map(([name, { r }]) => [
      name,
      { r: r.filter((_, i) => i !== k), at: r[k] },
    ]);
    const best =
      fastest(inOthers) ?? fastest(present.map(([name, { r }]) => [name, { r, at: r[k] }]));
    if (best) ratios.push(best[1].at / ms);
  }
  return summary(ratios);
}

/** "1.04 ±.02"; "-" for null. */
export function ratioText(ratio) {
  if (!ratio) return "-";
  return `${ratio.middle.toFixed(2)} ±${ratio.spread.toFixed(2).replace(/^0/, "")}`;
}
