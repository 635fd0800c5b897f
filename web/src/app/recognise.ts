/** What a pasted text is, as far as the page must know to put it in the right place. */
export type Pasted = "empty" | "shape" | "program";

/** A shape with or without a layout: `f32[3,5]{1,0:T(2,2)}`; nothing else on the line. */
const SHAPE = /^[a-z][a-z0-9]*\[[\d,\s<=?]*\](\{[^{}\n]*\})?$/;
/**
 * Layouts in other notations: with their name in front, or in a form that nothing else has (CuTe's
 * shape:stride, Morello's constructor).
 */
const LAYOUT = [
  /^(padded|morello|cute|strides):\s.+$/,
  /^([a-z]\w*\s+)?\([\d\s,()]+\):\([\d\s,()]+\)$/,
  /^[\dx]+\s*\[[\d\s,a-z()]+\]$/,
  /^Layout::new\([^{};]*\)$/,
];
const LONGEST_SHAPE = 2000;

export function recognise(text: string): Pasted {
  const trimmed = text.length > 4 * LONGEST_SHAPE ? text : text.trim();
  if (trimmed === "") return "empty";
  if (trimmed.length > LONGEST_SHAPE) return "program";
  return [SHAPE, ...LAYOUT].some((form) => form.test(trimmed)) ? "shape" : "program";
}
