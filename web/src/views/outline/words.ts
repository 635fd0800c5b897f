/** What the outline says once it is loaded. */
export const outlineWords = {
  entry: "entry",
  root: "root",
  module: (name: string) => `HloModule ${name}`,
  operand: (n: number) => `operand ${n}`,
  noMatch: "No instruction matches the filter.",
  filter: "Filter by name or opcode",
};
