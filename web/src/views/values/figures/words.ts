/** Texts of the pictures and figures of a value. */
const count = (n: number): string => n.toLocaleString("en-US");

export const figureWords = {
  loading: "Reading the whole array…",
  failed:
    "This value is no longer held, or the full engine could not be fetched. Run again to see it.",
  nothing: "No element can be shown: none is finite.",
  nothingLog: "No element can be shown on a log scale: none is finite and other than 0.",
  map: {
    label: (name: string) => `Heat map of ${name}. Arrow keys move from block to block.`,
    scale: "Colours",
    scales: { diverging: "Diverging", sequential: "Sequential", log: "Log of magnitude" },
    of: "A block shows its",
    measures: { mean: "mean", min: "minimum", max: "maximum" },
    blocks: (rows: number, cols: number) =>
      `A block is ${rows} × ${cols} elements. Colours are one scale for the whole array.`,
    cells: "A block is one element. Colours are one scale for the whole array.",
    nan: (n: number) => `NaN: ${count(n)}`,
    infinity: (n: number) => `infinite: ${count(n)}`,
    zero: "0",
    range: (name: string, begin: number, end: number) =>
      begin === end ? `${name} ${begin}` : `${name}s ${begin} to ${end}`,
    row: "row",
    col: "column",
    value: (shown: string, min: string, max: string) =>
      min === max ? shown : `mean ${shown}, from ${min} to ${max}`,
    hasNan: "with NaN",
    hasInfinity: "with infinities",
    hint: "Point at a block, or select one, for its numbers.",
  },
  histogram: {
    label: (bins: number, low: string, high: string, most: string) =>
      `Histogram of ${bins} bins from ${low} to ${high}; the fullest has ${most} elements`,
    scale: "Bins",
    scales: { linear: "Linear", log: "Log of magnitude" },
    leftOut: (n: number, isLog: boolean) =>
      `${count(n)} ${n === 1 ? "element is" : "elements are"} in no bin: NaN${isLog ? ", infinities and zeros" : " and infinities"}.`,
    elements: "elements",
    value: "value",
  },
  line: {
    label: (name: string, low: string, high: string) =>
      `Line plot of ${name}, between ${low} and ${high}`,
    along: "Along dimension",
    at: (index: string) => `through element ${index}`,
    index: "index",
    blocks: (n: number) => `Each point is the mean of ${count(n)} elements, with their range.`,
    gaps: "NaN and infinities are gaps.",
    mean: "mean",
    value: "value",
    min: "min",
    max: "max",
  },
  statistics: {
    label: "Statistics of the array",
    name: "Figure",
    value: "Value",
    share: "Share",
    elements: "elements",
    finite: "finite",
    mean: "mean",
    deviation: "standard deviation",
    min: "minimum",
    max: "maximum",
    least: "smallest magnitude above 0",
    quantile: (share: number, exact: boolean) => {
      const text = share === 0.5 ? "median" : `${Math.round(share * 100)} % quantile`;
      return exact ? text : `${text}, about`;
    },
    zeros: "zeros (sparsity)",
    negativeZeros: "of these -0",
    nans: "NaN",
    infinities: "+Inf",
    negativeInfinities: "-Inf",
    denormals: "denormal",
    distinct: "distinct values",
    more: (n: number) => `more than ${count(n)}`,
    complex: "Of complex numbers, all figures are about magnitudes.",
    note: "Figures are of the finite elements; the deviation is that of a whole population.",
  },
  bits: {
    element: (index: string, text: string) => `Element (${index}) = ${text}`,
    choose: "Select an element in the grid or the heat map to see its bits.",
    first: "No element is selected: this is the first.",
    complex: "Of a complex number this is the magnitude.",
    notFloat: (type: string) => `${type} is no float type; this is its number in those that are.`,
    wide: "64-bit integers are rounded to f64 first.",
    sign: "sign",
    exponent: "exponent",
    mantissa: "mantissa",
    none: "none",
    exactly: "exactly",
    hex: "hex",
    kind: "kind",
    below: "next below",
    above: "next above",
    label: "The number in every float type",
    columns: {
      type: "Type",
      value: "Value",
      error: "Error",
      bits: "Sign, exponent, mantissa",
      below: "Below",
      above: "Above",
    },
    exact: "exact",
  },
};
