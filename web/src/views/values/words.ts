/** Texts of the values view; those needed before it is loaded are in `strings.ts`. */
export const valueWords = {
  filter: "Filter by name or opcode",
  columns: { name: "Instruction", opcode: "Opcode", shape: "Shape", value: "Value" },
  output: "output",
  outputOf: (device: number) => `device ${device}: output`,
  toHost: (name: string, device: number) => `${name} to the host, from device ${device}`,
  device: "Device",
  deviceName: (device: number, replica: number, partition: number) =>
    `Device ${device}: replica ${replica}, partition ${partition}`,
  input: (n: number) => `input ${n}`,
  iterationLabel: (loop: string) => `Iteration of ${loop}`,
  iterationOf: (shown: number, count: number) =>
    shown < count
      ? count === 1
        ? "the only iteration"
        : `iteration ${shown} (0 to ${count - 1})`
      : `after the last iteration, ${count - 1}`,
  range: (begin: number, end: number) => (begin === end ? String(begin) : `${begin} to ${end}`),
  kept: (ranges: string) => `kept: ${ranges}`,
  lost: (ranges: string) => `values let go in ${ranges}`,
  unfinished: "unfinished loop",
  otherLoops: (n: number) =>
    n === 1
      ? "Another loop: choose it in the list for its iterations."
      : `${n} more loops: choose one in the list for its iterations.`,
  inf: "Inf",
  holds: "✓ holds",
  fails: "✗ fails",
  dropped: "not kept: beyond what Settings, Recorded, allows",
  list: "Values of the last run",
  cut: (shown: number, all: number, isBeginning: boolean) => {
    const [kept, of] = [shown, all].map((n) => n.toLocaleString("en-US"));
    return isBeginning
      ? `The first ${kept} of ${of} values are listed: there is no room for more`
      : `${kept} of ${of} values are listed, there is no room for more: the oldest iterations of loops went first`;
  },
  staleCancelled: "cancelled; these are the values of the last run",
  runAgain: "Run again",
  noMatch: "No instruction matches the filter.",
  choose: "Choose an instruction to see its value.",
  tuple: "A tuple: choose an element.",
  token: "A token has no value; it only orders effects.",
  empty0: "An array without elements.",
  asGrid: "Grid",
  asTable: "Table",
  asText: "Text",
  figures: {
    map: "Heat map",
    image: "Image",
    histogram: "Histogram",
    line: "Line",
    statistics: "Statistics",
    bits: "Bits",
  },
  mode: "Show as",
  heat: "Shade cells",
  heatScale: (most: string) => `Colours from -${most} to ${most}, the largest of the whole array;`,
  heatNan: "NaN",
  result: "Result",
  running: (time: string) => `Running for ${time}`,
  recording: (time: string) => `Recording the values; running for ${time}`,
  plan: {
    summary: (time: string) => `The compiled run took ${time}`,
    hint: "what was executed, and how long each part took",
    brief: "< 0.1 ms",
    label: "What the run executed",
    columns: { what: "What ran", how: "How", times: "Times", time: "Time" },
    how: {
      island: "straight through",
      operation: "operation",
      blocks: "block program",
      code: "generated code",
      executor: "instruction by instruction",
    },
    hints: {
      island: "Instructions that run one after the other with nothing in between.",
      operation: "One instruction, by its own function.",
      blocks: "Instructions joined to one loop, block by block of elements.",
      code: "Instructions joined to one loop, as WebAssembly that was generated for it.",
      executor: "What needs other devices or the host, or sizes that are known only in the run.",
    },
    ranIn: (product: string) => `, in the time of ${product}`,
    loop: (count: number) => `loop of ${count.toLocaleString("en-US")} instructions`,
    instructions: (count: number) =>
      count === 1 ? "1 instruction" : `${count.toLocaleString("en-US")} instructions`,
    others: "everything else",
    more: (shown: number, all: number) => `The ${shown} slowest of ${all.toLocaleString("en-US")}.`,
    showPlan: "Show the plan",
  },
  npy: "Save .npy",
  save: "More files",
  csv: "This array, .csv",
  npzResults: "All results, .npz",
  npzValues: "All values of the list, .npz",
  longCsv: (most: number) =>
    `A .csv file takes at most ${most.toLocaleString("en-US")} elements: save the array as .npy.`,
  copyText: "Copy text",
  copy: "Copy",
  stats: {
    elements: "elements",
    min: "min",
    max: "max",
    mean: "mean",
    nans: "NaN",
    infinities: "infinite",
    goTo: "Go to the first",
    origin: "First made by",
    own: "made here",
  },
  unavailable: "This value is no longer held. Run again to see it.",
  layout: "Layout",
  grid: (name: string) => `Value of ${name}`,
  back: "Up to the tuple",
  filled: (count: number, how: string, seed: number): string =>
    `${count} ${count === 1 ? "constant" : "constants"} written {...} ${count === 1 ? "is" : "are"} filled here: ${how}${how === "random" ? `, seed ${seed}` : ""}. Settings can change this.`,
  madeUp: (count: number, shown: readonly string[]): string =>
    `${count} ${count === 1 ? "value is" : "values are"} made up at random, since nothing gives ${count === 1 ? "it" : "them"}: ${shown.join(", ")}${count > shown.length ? " and others" : ""}.`,
};
