/** What the names of a dump's files say: the module, and the stage of its compilation. */
import type { DumpEntry } from "./state";

/** The order of what a compiler writes of one module. */
const STAGES = [
  /before_optimizations/,
  /\.\d{4}\./,
  /after_optimizations(?!.*(buffer-assignment|memory-usage))/,
  /buffer-assignment/,
  /memory-usage-report/,
  /snapshot/,
];

/** What the name of a file says: its module, and at which stage. */
function partsOf(name: string): { module: string; stage: string; rank: number } {
  const base = name.replace(/^.*\//, "");
  const found = /^(module_\d+\.[^.]+(?:\.\d{1,3}(?=\.))?)\.(.+)$/.exec(base);
  const rank = STAGES.findIndex((stage) => stage.test(base));
  return {
    module: found?.[1] ?? "",
    stage: found?.[2] ?? base,
    rank: rank < 0 ? STAGES.length : rank,
  };
}

export const moduleOf = (name: string): string => partsOf(name).module;

/** By module, then by stage. */
export function byStage(a: DumpEntry, b: DumpEntry): number {
  const [x, y] = [partsOf(a.name), partsOf(b.name)];
  return (
    x.module.localeCompare(y.module, "en", { numeric: true }) ||
    x.rank - y.rank ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );
}

/** Titles of files, in the dump that has `all` of them: the module is named where there are several. */
export function titlesIn(all: readonly { name: string }[]): (name: string) => string {
  const isOnlyModule = new Set(all.map(({ name }) => moduleOf(name))).size < 2;
  return (name) => {
    const { module, stage } = partsOf(name);
    const short = stage.replace(/\.(txt|hlo|pb|pbtxt|mlir)$/, "");
    return module && !isOnlyModule ? `${module.replace(/^module_0*/, "")} ${short}` : short;
  };
}

/** A part of a title; what is hidden is only read aloud. */
export interface TitlePart {
  text: string;
  hidden: boolean;
}

/** "0002." "simplification.after_" "algsimp" ".before_dce": every other part says nothing new. */
const SPARE = [/^(\d{4}\.)(.+?\.after_)(.+?)(\.before_.+)$/, /^()(.*_)(after_optimizations.*)()$/];

/** Titles in parts, with what all stages have left out; whole where two would read the same. */
export function shortened(titles: readonly string[]): TitlePart[][] {
  const cut = titles.map((title): TitlePart[] => {
    const [, module = "", stage = title] = /^(\S+ )?(.*)$/.exec(title) ?? [];
    const found = SPARE.map((spare) => spare.exec(stage)).find((each) => each !== null);
    if (!found) return [{ text: title, hidden: false }];
    const [, begin = "", spare = "", middle = "", end = ""] = found;
    return [
      { text: module + begin, hidden: false },
      { text: spare, hidden: true },
      { text: middle, hidden: false },
      { text: end, hidden: true },
    ].filter(({ text }) => text !== "");
  });
  const seen = cut.map((parts) => parts.map((part) => (part.hidden ? "" : part.text)).join(""));
  return cut.map((parts, at) =>
    seen.filter((text) => text === seen[at]).length > 1
      ? [{ text: titles[at] ?? "", hidden: false }]
      : parts,
  );
}

export const isArray = ({ name }: { name: string }): boolean => /\.npy$/i.test(name);

/** Whether a file is a text for the editor. */
export const isShown = ({ name }: { name: string }): boolean =>
  /\.(txt|hlo|mlir|pb|pbtxt|textproto|textpb|stablehlo)$/i.test(name) || !/\.\w+$/.test(name);

/** Whether a file is a report on a program, and none itself. */
export const isReport = ({ name }: { name: string }): boolean =>
  /buffer-assignment|memory-usage-report/.test(name);
