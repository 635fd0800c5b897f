/** Figures of costs as people read them: powers of ten, as machines' figures have. */

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"] as const;

/** "3.28 T" */
export function scaled(n: number): string {
  let value = n;
  let prefix = 0;
  while (Math.abs(value) >= 1000 && prefix < PREFIXES.length - 1) {
    value /= 1000;
    prefix++;
  }
  return `${Number(value.toPrecision(3))} ${PREFIXES[prefix]}`.trim();
}

/** "3.28 TB/s": with a unit. */
export function withUnit(n: number, unit: string): string {
  const text = scaled(n);
  return /[A-Za-z]$/.test(text) ? `${text}${unit}` : `${text} ${unit}`;
}

/** Below which time, in seconds, which unit is used, and how many of it are a second. */
const TIMES: readonly [below: number, factor: number, unit: string][] = [
  [1e-9, 1e12, "ps"],
  [1e-6, 1e9, "ns"],
  [1e-3, 1e6, "µs"],
  [1, 1e3, "ms"],
];

/** Down to picoseconds. */
export function duration(s: number): string {
  if (s <= 0) return "0";
  const [, factor, unit] = TIMES.find(([below]) => s < below) ?? [0, 1, "s"];
  return `${Number((s * factor).toPrecision(3))} ${unit}`;
}
