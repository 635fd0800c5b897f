/** Numbers as people read them. */
const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
export type ByteUnit = (typeof units)[number];

/** The finest unit in which numbers up to this one have at most five digits before the point. */
export function unitFor(most: number): ByteUnit {
  return units.find((_, i) => most < 100_000 * 1024 ** i) ?? "EiB";
}

// Made once: a long list has thousands of numbers.
const small = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
const large = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Bytes in a unit, without its name: for columns of numbers. */
export function inUnit(n: number, unit: ByteUnit): string {
  const value = n / 1024 ** units.indexOf(unit);
  if (value > 0 && value < 0.001) return "<0.001";
  return (value < 1 ? small : large).format(value);
}

export function bytes(n: number): string {
  let value = n;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = value >= 100 || unit === 0 || Number.isInteger(value) ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

export function integer(n: number): string {
  return Number.isSafeInteger(n) ? large.format(n) : n.toPrecision(4);
}

export function seconds(s: number): string {
  if (s < 0.001) return `${Math.round(s * 1e6)} µs`;
  return s < 1 ? `${(s * 1000).toFixed(s < 0.01 ? 1 : 0)} ms` : `${s.toFixed(2)} s`;
}

/** JSON has no NaN and no infinity: they arrive as null. */
export function significant(n: number | null): string {
  if (n === null) return "none";
  if (!Number.isFinite(n)) return Number.isNaN(n) ? "NaN" : n > 0 ? "inf" : "-inf";
  if (Number.isSafeInteger(n)) return String(n);
  const rounded = Number(n.toPrecision(5));
  return Math.abs(rounded) >= 1e9 ? rounded.toExponential() : String(rounded);
}

/** Words of the engine as the beginning of a sentence. */
export const capitalized = (words: string): string =>
  words.charAt(0).toUpperCase() + words.slice(1);

export function percent(share: number): string {
  const value = share * 100;
  // What is not all of it does not become that by rounding.
  if (value >= 99.5 && value < 100) return `${Math.floor(value * 10) / 10} %`;
  return `${value >= 10 || value === 0 ? Math.round(value) : Number(value.toPrecision(2))} %`;
}

export function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, "0");
}
