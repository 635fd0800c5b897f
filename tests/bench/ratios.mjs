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

/**
 * How many times as long as `ours` `theirs` take: the median over the rounds of the ratio within a round, in which
 * whatever slows the machine slows both; and half the range between the quartiles of these ratios. Null without rounds.
 */
export function ratioOf(theirs, ours) {
  const rounds = Math.min(theirs?.length ?? 0, ours?.length ?? 0);
  if (rounds === 0) return null;
  const ratios = Array.from({ length: rounds }, (_, i) => theirs[i] / ours[i]).sort(
    (a, b) => a - b,
  );
  const at = (part) => {
    const place = part * (rounds - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, rounds - 1);
    return ratios[low] + (place - low) * (ratios[high] - ratios[low]);
  };
  return { middle: median(ratios), spread: (at(0.75) - at(0.25)) / 2 };
}

/** "1.04 ±.02"; "-" for null. */
export function ratioText(ratio) {
  if (!ratio) return "-";
  return `${ratio.middle.toFixed(2)} ±${ratio.spread.toFixed(2).replace(/^0/, "")}`;
}
