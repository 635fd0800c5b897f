/** What the Why view says; what is said of it before it is loaded is in `strings.ts`. */
import type { FirstKind, WhySource } from "../../../../wasm/engine_api";

const first: Record<Exclude<FirstKind, "nan" | "inf">, string> = {
  nonfinite: "First NaN or infinity",
  overflow: "First overflow",
  underflow: "First underflow",
  loss: "Largest loss of precision",
};
const roles: Record<WhySource["role"], string> = {
  value: "",
  compared: "was compared",
  place: "says which element",
};

export const whyWords = {
  asked: "What to look for",
  selected: "The selected element",
  first,
  roles,
  chain: "Where it comes from, step by step",
  running: "The program runs again, and every step of it is recorded.",
  cancel: "Cancel",
  cancelled: "Cancelled.",
  failed: (why: string) => `There is no answer: ${why}`,
  noElement: "Select an element of a value in the Values view: where it comes from appears here.",
  stale: "This is about the last run; the program or its inputs have changed since.",
  line: (n: number) => `line ${n}`,
  iteration: (at: string) => `iteration ${at}`,
  device: (n: number) => `device ${n}`,
  dependsOn: (rule: string) => `Depends on ${rule}`,
  follow: (element: string) => `Where ${element} comes from`,
  more: (n: string) => `${n} more`,
  skipped: (n: string) => `${n} more steps`,
  nothing: "The chain ends here: nothing goes into it.",
  made: "The chain ends here: this is where it was made.",
  goesOn: "The chain goes on; follow its last element.",
  steps: (n: string) => `${n} steps were recorded.`,
};
