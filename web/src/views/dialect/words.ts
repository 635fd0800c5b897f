/** What this view says once it is loaded. */
export const dialectWords = {
  choice: "Made of the program",
  label: {
    dialect: "The program in the other dialect",
    plan: "The plan of the program",
    code: "The code of the program's loops",
  },
  none: {
    hlo: "This program has no counterpart in HLO yet.",
    stablehlo: "This program has no counterpart in StableHLO yet.",
    plan: "A plan is made of programs without faults.",
    code: "Code is generated for programs without faults.",
  },
  refused: {
    hlo: "Not as HLO:",
    stablehlo: "Not as StableHLO:",
    plan: "No plan:",
    code: "No code:",
  },
  stale: "of an earlier text",
  copy: "Copy",
};
