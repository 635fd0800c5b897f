/** Texts of the layout view's films, conversions and advice; the others are in `strings.ts`. */
export const layoutWords = {
  comparedGrid: (a: string, b: string) => `Offsets in ${a} and in ${b}`,
  goesTo: (n: string) => `goes to offset ${n}`,
  bytesOther: (shape: string) =>
    `The bytes are shown when an instruction of shape ${shape} has been run and is selected.`,
  bytesRun: "Run",
  noPicture: "The browser cannot make a picture of this size.",
  cutPicture: (rows: number, cols: number) =>
    `The picture shows the beginning: at most ${rows} rows and ${cols} columns of each grid.`,
  cutCsv: (n: number) => `The first ${n.toLocaleString("en-US")} elements were saved.`,
  formulaEmpty: "Select an element in one of the grids to see its address worked out.",
  bytesEmpty: "Run the program to see the bytes of the selected value in this layout.",
  film: {
    title: "Film",
    slider: "Step of the film",
    of: (at: number, all: number) => `${at} of ${all - 1}`,
    spoken: (at: number, all: number, title: string) => `${at} of ${all - 1}: ${title}`,
    grid: (title: string, dims: string) => `${title}: ${dims}`,
    slot: (n: string) => `slot ${n}`,
    pin: (index: string) => `Pin (${index})`,
    unpin: (index: string) => `Unpin (${index})`,
    effects: { bitcast: "bitcast", extend: "grows", cut: "shrinks", move: "moves" },
    explains: {
      bitcast: "A bitcast: the same bytes, read as another array.",
      extend: "The buffer grows at its end; no element moves.",
      cut: "The buffer loses what is behind its last element; no element moves.",
      move: "Elements change places.",
    },
  },
  relayout: {
    title: "From one to the other",
    bitcast: "bitcast",
    elements: "elements",
    read: "bytes read",
    written: "bytes written",
    buffers: "buffers",
    runs: "pieces",
    runsOf: (n: string, longest: string) => `${n}, the longest of ${longest}`,
    lines: "cache lines",
  },
  advice: {
    title: "Other layouts of this array",
    none: "There is no other layout to list.",
    columns: ["Layout", "Memory", "Padding", "What it is", "Why"],
    compare: "Compare",
  },
};
