/** The words of the benchmark. */
export const benchWords = {
  title: "Benchmark of HLO Playground",
  intro:
    "The same cases in this engine and in plain JavaScript, one thread, in a worker of this browser. Nothing is sent anywhere.",
  back: "To the playground",
  start: "Measure",
  again: "Measure again",
  quick: "Quick",
  quickHint: "A third of the time; figures are less steady",
  cancel: "Cancel",
  cancelled: (done: number, all: number) => `Cancelled after ${done} of ${all} cases.`,
  done: (seconds: number, ready: number) =>
    `Done in ${Math.round(seconds)} s; the engine was ready after ${Math.round(ready)} ms.`,
  loading: "The engine is loading",
  progress: "Cases measured",
  running: (title: string, done: number, all: number) => `${done} of ${all}: ${title}`,
  failed: (title: string, why: string) => `${title}: ${why}`,
  copyLink: "Copy link",
  linkCopied: "Link copied: it shows these results, and runs nothing.",
  linkInBar: "The link is in the address bar.",
  copyMarkdown: "Copy as Markdown",
  markdownCopied: "Table copied.",
  notCopied: "The browser does not let the page copy: select the table instead.",
  guest: (machine: string, date: string) =>
    `These are somebody's results, from a link${machine && `: ${machine}`}${date && `, ${date}`}. Nothing was run here.`,
  own: (machine: string, date: string) => `${machine}, ${date}`,
  mean: (ratio: string) => `${ratio} × plain JavaScript`,
  meanNote: (count: number) => `geometric mean of ${count} cases`,
  share: (percent: string) => `${percent} of the limit`,
  shareNote: "geometric mean",
  none: "Nothing has been measured yet.",
  chart: "Times faster than plain JavaScript",
  chartLabel: (count: number) =>
    `Bars of ${count} cases: how many times faster than plain JavaScript, on a logarithmic scale; the figures are in the table below.`,
  chartNote:
    "The mark is the limit of this machine. Longer bars are faster; every line is a factor.",
  table: "Results",
  columns: {
    case: "Case",
    times: [
      "Ours, ms",
      "Rate",
      "JavaScript, ms",
      "Ratio",
      "Limit, ms",
      "Of limit",
      "First call, ms",
    ],
  },
  bounds: {
    memory: "Bound by memory: operands and results moved once, by the browser's own copy",
    arithmetic:
      "Bound by arithmetic: its multiplications and additions in registers, four at a time, not fused",
  },
  limitNote:
    "Limit: the longer of moving operands and results once and of doing the multiplications and additions in registers, both measured here, beside the case. Where caches hold the operands, a case can be faster than the copy. First call: compiling, operands brought in, one run.",
  differs: "The results of the two differ: one of them is at fault.",
  noPlain:
    "No loop in plain JavaScript: it would take ten seconds, or needs a type that JavaScript does not have.",
  unknownBrowser: "unknown browser",
  cores: (count: number) => `${count} ${count === 1 ? "core" : "cores"}`,
};
