/** What parts of the frame say once they are loaded. */
import { words } from "../strings";

export const faultWords = {
  title: "Problems",
  line: (n: number) => `Line ${n}:`,
  more: (n: number) => `${words.count(n, "more", "more")} of the same cause, in line`,
  fix: (title: string) => `Fix: ${title}`,
};

/** What the settings of a run mean, where their names do not say it. */
export const settingHints: Readonly<Record<string, string>> = {
  seed: "For random inputs, fills and the random numbers of the program",
  stepLimit: "The most instructions that are executed; 0: no limit",
  traceLimit:
    "Values that are kept of a run. The oldest go first: those in loops, then the others. At most 20,000 are listed",
  replicas: "0: as many as the header of the program says",
  partitions: "0: as many as the header of the program says",
  products:
    "How dot and convolution round f32 operands whose precision is default or high; highest stays f32. Sums are f32",
  multiplyAdd:
    "In the sums of dot and convolution. Separate: the product is rounded, then the sum. Fused: rounded once, as on most hardware",
  threads: "The results have the same bits. Only a host that isolates the page allows several",
  standIns: "For what the run cannot compute: unknown custom calls, values of the host",
};

/** Of a view that has nothing to show. */
export const emptyWords = {
  coming: "Computing …",
  anExample: "Open an example",
};

export const settingWords = {
  switchHints: {
    runCompiled: "For the result and its time",
    recordValues: "For the value of every instruction: slower",
  },
  reset: "Restore the defaults",
  allowed: (least: number, most: number, isWhole: boolean, kept: number) =>
    `${isWhole ? "A whole number" : "A number"} from ${least} to ${most}; it is still ${kept}.`,
  products: {
    "": "f32, as written",
    bf16: "bf16, as on TPUs",
    tf32: "TF32, as on NVIDIA GPUs",
  },
  multiplyAdd: {
    "": "separate",
    fused: "fused",
  },
  threads: {
    "": "all cores",
    one: "one",
  },
};
