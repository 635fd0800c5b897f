/** What this view says once it is loaded; what is said of it before is in `strings.ts`. */
import { words } from "../../strings";

export const compareWords = {
  before: "Before",
  after: "After",
  afterName: "the program in the editor",
  choose: "Choose a file…",
  rememberHere: "Keep this version",
  swap: "Swap",
  swapHint: "The other program into the editor, and this one in its place",
  remove: "Compare with nothing",
  faulty: {
    before: "The program before has errors:",
    after: "The program in the editor has errors:",
  },
  same: "Both programs are the same, instruction by instruction.",
  unchanged: (n: string) => `${n} unchanged`,
  totals: {
    instructions: "Instructions",
    computations: "Computations",
    fusions: "Fusions",
    peakBytes: "Peak memory",
    temporaryBytes: "Temporaries at the peak",
  },
  header: "Header",
  kinds: "Kinds of changes",
  changes: (n: number) => words.count(n, "change", "changes"),
  more: (n: string) => `Show ${n} more`,
  text: "Both texts",
  /** The two texts. */
  textBefore: "The text before",
  textAfter: "The text after",
  place: (computation: string) => `in ${computation}`,
};
