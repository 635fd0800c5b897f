/** What a run is compared with, as texts for links: JSON of what differs from nothing. */
import { type Expected, NO_EXPECTED, type OtherRun, SAME_RUN } from "./session";

/** More parameters and elements of results than this are not read from a link. */
const MOST = 1000;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MOST) : []);
const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

export function printRun({ inputs, ...others }: OtherRun): string {
  const last = inputs.findLastIndex((text) => text !== "");
  return JSON.stringify({ ...others, inputs: inputs.slice(0, last + 1) });
}

export function parseRun(text: string): OtherRun {
  const run = fieldsOf(parseJson(text));
  const texts = Object.keys(SAME_RUN).map((key) => [key, textOf(run[key])]);
  return { ...SAME_RUN, ...Object.fromEntries(texts), inputs: listOf(run.inputs).map(textOf) };
}

/** Files are not written: a link has their places, empty. */
export function printExpected(rows: readonly Expected[]): string {
  return JSON.stringify(rows.map(({ element, text }) => ({ element, text })));
}

export function parseExpected(text: string): Expected[] {
  const rows = listOf(parseJson(text)).map(fieldsOf);
  const expected = rows.map((row) => ({
    element: textOf(row.element),
    text: textOf(row.text),
    file: null,
  }));
  return expected.length > 0 ? expected : [NO_EXPECTED];
}
