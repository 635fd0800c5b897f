/** What the Why view says; what is said of it before it is loaded is in `strings.ts`. */
import type { FirstKind, WhySource } from "../../../wasm/engine_api";
import { integer } from "../ui/format";

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
  direction: "Which way it is followed",
  back: "Where does it come from?",
  forward: "What does it reach?",
  titleBack: (element: string) => `where ${element} comes from`,
  titleForward: (element: string) => `what ${element} reaches`,
  marked: (title: string) => `Marked: ${title}.`,
  markedCell: "on the marked path",
  markedBoxes: "on the marked path",
  unmark: "Remove the marks",
  reached: "What it reaches, step by step",
  reachedOf: (count: string, of: string) => `${count} of ${of} elements`,
  reachedAll: (of: string) => `all ${of} elements`,
  from: (name: string) => `from ${name}`,
  reachesResult: (parts: string, device: number | null) =>
    `It reaches ${parts} of the result${device === null ? "" : ` of device ${device}`}.`,
  reachesNothing: (device: number | null) =>
    `It does not reach the result${device === null ? "" : ` of device ${device}`}.`,
  reachesWhole: "all",
  inPart: (what: string, path: string) => `${what} of part ${path}`,
  rough: "It may be fewer: not every element was followed by itself.",
  decidesBranch: (name: string) => `It decides which branch of ${name} runs.`,
  decidesLoop: (name: string) => `It decides how often ${name} runs.`,
  notCounted: "Elements that other branches or more iterations would change are not listed.",
  inResult: (nans: number, infinities: number, devices: number) => {
    const parts = [
      ...(nans > 0 ? [nans === 1 ? "1 NaN" : `${integer(nans)} NaNs`] : []),
      ...(infinities > 0
        ? [infinities === 1 ? "1 infinity" : `${integer(infinities)} infinities`]
        : []),
    ];
    const where = devices > 1 ? `the results of ${integer(devices)} devices` : "the result";
    return `${parts.join(" and ")} in ${where}`;
  },
  firstMade: "first made by",
  firstMadeAt: (line: number) => ` in line ${integer(line)}`,
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
  steps: (n: number) => (n === 1 ? "1 step was recorded." : `${integer(n)} steps were recorded.`),
};
