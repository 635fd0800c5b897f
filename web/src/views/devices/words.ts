/** Texts of the view of devices. */
export const deviceWords = {
  oneDevice:
    "This program runs on one device and has no sharding. To run it on several, see Settings.",
  instruction: "Instruction",
  leaf: "Array of the tuple",
  more: (shown: number, all: number) => `The first ${shown} of ${all.toLocaleString("en-US")}.`,
  picture: (shape: string) => `${shape} by the devices that hold its parts`,
  fixed: (dims: readonly number[]) =>
    `Drawn at the first tile of dimension${dims.length > 1 ? "s" : ""} ${dims.join(", ")}.`,
  cut: (shown: number) => `The first ${shown} tiles of a dimension are drawn.`,
  same: (count: number) => `held by ${count} devices each`,
  padded: "padding, which is no part of the array",
  tile: (list: string) => `Devices ${list}`,
  pieces: "Pieces by device",
  columns: ["Device", "Tile", "Slice", "Padding"] as const,
  none: "none",
  shardings: "Shardings",
  run: "The run on its devices",
  notRun: (count: number) =>
    `This program runs on ${count} devices. Run it to see what they exchange.`,
  runIt: "Run",
  asking: "Going through the run …",
  tookLonger: (seconds: number) =>
    `This view follows a run for ${seconds} s at first, and this one takes longer here. The run itself is not affected.`,
  followLonger: (seconds: number) => `Follow longer, up to ${seconds} s`,
  noExchange:
    "The devices of this run exchange nothing: each runs the whole program. Shardings do not change that here; they say how XLA's partitioner would divide a program, which adds the exchanges.",
  exchange: "Exchange",
  previous: "Previous",
  next: "Next",
  theEnd: "The end of the run",
  theFailure: "Where the run failed",
  exchangeOf: (at: number, count: number) => `${at} of ${count}`,
  exchangeName: (at: number, shown: string, opcode: string, round: number) =>
    `${at}: ${opcode} ${shown}${round > 0 ? `, time ${round + 1}` : ""}`,
  firstOnes: (shown: number) => `The first ${shown} exchanges of the run.`,
  grid: (isEnd: boolean) =>
    isEnd ? "The devices at the end" : "The devices before the last member comes",
  gridHelp: "Arrow keys move; Enter goes to the instruction and lists what the device holds.",
  noGrid: "How the devices stand is told only of the first exchanges of a long run.",
  replica: (n: number) => `Replica ${n}`,
  partition: (n: number) => `Partition ${n}`,
  device: (n: number) => `Device ${n}`,
  devices: (first: number, last: number) => `${first} to ${last}`,
  many: (count: number) => `all ${count}`,
  at: (opcode: string, shown: string) => `at ${opcode} ${shown}`,
  ended: "has ended",
  holds: (values: number, bytes: string) =>
    `${values} ${values === 1 ? "array" : "arrays"}, ${bytes}`,
  /** What a device that waits has handed over is not its own any more. */
  given: ", beside what it gave",
  waitsFor: (missing: readonly number[]) =>
    missing.length === 0
      ? "waits for a message"
      : `waits for ${missing.slice(0, 8).join(", ")}${missing.length > 8 ? " …" : ""}`,
  members: (members: string) => `Members: ${members}.`,
  rows: (rows: string) => `, rows ${rows}`,
  larger: "Larger rows",
  smaller: "Smaller rows",
  between: "Members, and what goes between them",
  step: "Step",
  stepOf: (position: number, length: number) => `${position} of ${length}`,
  stepLine: (line: string) => `Before it: ${line}`,
  followExchange: "Back to the exchange",
  standing: "The devices between two steps",
  held: (device: number) => `What device ${device} holds`,
  heldColumns: ["Value of", "Shape", "First elements"] as const,
  holdsNothing: "It holds nothing that is needed later.",
  flows: (opcode: string) => `${opcode}: which device's data goes to which device`,
  to: "Data that goes to",
  all: "all devices",
  gives: "gives",
  gets: "gets",
  combined: (from: string) => `${from} combined`,
  parts: "What each device gives and gets",
  partColumns: ["Device", "Gives", "Gets"] as const,
  nothing: "nothing",
  drawn: (shown: number, all: number) =>
    `The first ${shown} of ${all.toLocaleString("en-US")} members are drawn.`,
  deadlock: "Who waits for whom",
  waitLine: (device: number, place: string, what: string, missing: string) =>
    `Device ${device} waits in ${place} for ${what}; missing: ${missing}.`,
  nobody: "a device that sends it",
  /** What an op does with the data, by its opcode without "-start". */
  does: {
    "all-gather": "Every member gets what all of them give, side by side.",
    "all-to-all":
      "Each member cuts what it gives into pieces, and the n-th piece goes to the n-th member.",
    "all-reduce": "What all members give is combined element by element, and each gets the result.",
    "reduce-scatter":
      "What all members give is combined element by element, and the n-th member gets the n-th piece of the result.",
    "collective-permute":
      "Each source sends what it gives to its target. A device that is no target gets zeros.",
    "collective-broadcast":
      "Every member gets what the root gives: the first one of the group, unless the last operand names another.",
    "collective-reduce":
      "What all members give is combined element by element, and the root gets the result: the first one of the group, unless the last operand names another. The others get zeros.",
    "ragged-all-to-all":
      "Each member sends rows to each: which, and where they go, offsets and sizes say. What nobody writes stays as it was.",
    "recv-done": "A message: one device has sent it, another gets it.",
  } as Readonly<Record<string, string>>,
  doesElse: "Members exchange data.",
};
