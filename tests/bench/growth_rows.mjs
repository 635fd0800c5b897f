// How the benchmarks of growth print exponents, and what they left out.
import { exponentOf, slopeOf } from "./growth_calls.mjs";

/** Above this an exponent is marked. */
const MARK = 1.15;
/** Times of less, in ms, say nothing about growth. */
const SHORT = 0.05;

/**
 * A row: the exponent, the last time, and from which size on the call was left out, and why. `beyond`: the exponent is
 * that of the sizes from there on, if there are two.
 */
export function rowText(name, points, left, { sizeText, beyond = Infinity }) {
  const shown = [];
  if (points.length > 0) {
    const large = points.filter(([size]) => size >= beyond);
    const fitted = (large.length > 1 ? large : points).map(([size, ms]) => [
      size,
      Math.max(ms, SHORT),
    ]);
    const exponent = large.length > 1 ? slopeOf(fitted) : exponentOf(fitted);
    const [size, ms] = points.at(-1);
    const figure = points.length > 1 ? exponent.toFixed(2) : "-";
    const mark = exponent > MARK ? "  <" : "";
    const time = ms.toFixed(ms < 10 ? 2 : 0).padStart(9);
    shown.push(`${figure.padStart(6)} ${time} ms at ${sizeText(size)}${mark}`);
  }
  if (left.length > 0) shown.push(`left out from ${sizeText(left[0][0])} on: ${left[0][1]}`);
  return `  ${name.padEnd(26)}${shown.join("  ")}`;
}

/** Prints the rows: points and what was left out, both lists of [size, ...] by the name of the call. */
export function printRows(title, rows, left, options) {
  console.log(title);
  for (const [name, points] of rows) {
    const missing = left.get(name) ?? [];
    if (points.length + missing.length > 0) console.log(rowText(name, points, missing, options));
  }
}

/** What the mark means. */
export function printLegend() {
  console.log(`  <: above ${MARK}. Usual causes that are no fault: sort and fft take n log n; a program or array that
  leaves the caches takes longer for each of its parts; memory is cleared by the system when it is first touched.`);
}
