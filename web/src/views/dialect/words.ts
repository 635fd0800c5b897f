/** What the other dialect says once it is loaded. */
export const dialectWords = {
  label: "The program in the other dialect",
  heading: (name: string) => `The program as ${name}`,
  none: (name: string) => `This program has no counterpart in ${name} yet.`,
  refused: (name: string) => `Not as ${name}:`,
  stale: "of an earlier text",
  copy: "Copy",
};
