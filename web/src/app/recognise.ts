/** What a pasted text is, as far as the page must know to put it in the right place. */
export type Pasted = "empty" | "shape" | "program";

/** A shape with or without a layout: `f32[3,5]{1,0:T(2,2)}`; nothing else on the line. */
const SHAPE = /^[a-z][a-z0-9]*\[[\d,\s<=?]*\](\{[^{}\n]*\})?$/;
const LONGEST_SHAPE = 2000;

export function recognise(text: string): Pasted {
  const trimmed = text.length > 4 * LONGEST_SHAPE ? text : text.trim();
  if (trimmed === "") return "empty";
  return trimmed.length <= LONGEST_SHAPE && SHAPE.test(trimmed) ? "shape" : "program";
}
