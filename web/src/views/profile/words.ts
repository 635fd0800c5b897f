/** What the profile view says; what is said of it before it is loaded is in `strings.ts`. */
export const profileWords = {
  head: (time: string) => `${time} measured`,
  hint: "In this engine, in this browser: sums over all executions of the last compiled run.",
  stale: "The program has changed since.",
  icicle: "Measured times: the program, its computations, their loops and operations",
  program: "program",
  table: "Measured loops and operations",
  columns: ["Time", "Share", "Runs", "Each", "Instruction", "Computation", "How"],
  how: {
    island: "straight through",
    operation: "operation",
    blocks: "loop in blocks",
    code: "generated code",
  },
  node: (name: string, time: string, share: string) => `${name}: ${time}, ${share}`,
  save: "Save as trace",
  saveHint: "Chrome trace events, which ui.perfetto.dev opens",
  fileName: "profile.json",
  instructions: (n: number) => `${n} instructions`,
};
