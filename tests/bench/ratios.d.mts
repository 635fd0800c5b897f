interface Rounds {
  /** Milliseconds, of each round. */
  r?: readonly number[];
}
interface Ratio {
  middle: number;
  spread: number;
}

export function median(list: readonly number[]): number;
/** The entry with the least median over its rounds. */
export function fastest<T extends Rounds>(
  entries: readonly (readonly [string, T])[],
): readonly [string, T] | undefined;
/** The median of the ratios within rounds, and half the range between their quartiles. */
export function ratioOf(
  theirs: readonly number[] | undefined,
  ours: readonly number[] | undefined,
): Ratio | null;
/** The same for the best of several: in each round, the fastest in the other rounds. */
export function ratioToBest(
  entries: readonly (readonly [string, Rounds])[],
  ours: readonly number[] | undefined,
): Ratio | null;
export function ratioText(ratio: Ratio | null): string;
