type Points = readonly (readonly [number, number])[];

/** A row: the exponent, the last time, and from which size on the call was left out, and why. */
export function rowText(
  name: string,
  points: Points,
  left: readonly (readonly [number, string])[],
  options: { sizeText: (size: number) => string; beyond?: number },
): string;
