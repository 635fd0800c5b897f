/** Results of the benchmark: what they come to, as a link and as a table in Markdown. */
import { type BenchCase, cases, rateOf } from "../../bench/cases";
import type { Measured } from "../../bench/measure";
import { benchWords as w } from "./words";

export interface Results {
  readonly measured: readonly Measured[];
  /** Browser, system and number of cores. */
  readonly machine: string;
  /** Year, month and day. */
  readonly date: string;
}

/** A link longer than this was not made here. */
const LONGEST_LINK = 10_000;
const LONGEST_MACHINE = 80;
/** A time in milliseconds that somebody can have waited for. */
const LONGEST_MS = 1e6;

export const caseOf = (name: string): BenchCase | undefined =>
  cases.find((bench) => bench.name === name);

/** Three digits. */
export function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toPrecision(value < 0.001 ? 1 : 3).slice(0, 6);
}

export const percent = (share: number): string =>
  share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`;

/** How many times faster than plain JavaScript; null where there is none. */
export const ratioOf = ({ ours, plain }: Measured): number | null => (plain ? plain / ours : null);

/** The part of the limit that is reached; more than 1 where caches hold what the copy does not find there. */
export const shareOf = ({ ours, limit }: Measured): number | null => (limit ? limit / ours : null);

export function geometricMean(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  if (known.length === 0) return null;
  return Math.exp(known.reduce((sum, number) => sum + Math.log(number), 0) / known.length);
}

const short = (ms: number): number => Number(ms.toPrecision(4));
const shortOrNull = (ms: number | null): number | null => (ms === null ? null : short(ms));

/**
 * With times as short as a link has room for. Results are rounded when they come, and not again in a
 * link: whoever opens it sees the same digits.
 */
export const rounded = (measured: Measured): Measured => ({
  ...measured,
  ours: short(measured.ours),
  plain: shortOrNull(measured.plain),
  limit: shortOrNull(measured.limit),
  first: short(measured.first),
});

/** What stands behind the # of a link; with `?bench` in front of it, it shows these results. */
export function writeResults({ measured, machine, date }: Results): string {
  const fields = new URLSearchParams({ on: machine, at: date });
  for (const { name, ours, plain, limit, bound, first, differs } of measured) {
    const times = [ours, plain, limit, first].map((ms) => ms ?? "");
    fields.set(name, [...times, bound?.[0] ?? "", differs ? "!" : ""].join("_"));
  }
  return `1/${fields}`;
}

function readTime(text: string | undefined): number | null {
  const ms = text ? Number(text) : Number.NaN;
  return ms > 0 && ms < LONGEST_MS ? ms : null;
}

function readCase(name: string, text: string): Measured | null {
  const [ours, plain, limit, first, bound, differs] = text.split("_");
  const time = readTime(ours);
  if (time === null) return null;
  const limitTime = readTime(limit);
  return {
    name,
    ours: time,
    plain: readTime(plain),
    limit: limitTime,
    bound: limitTime === null ? null : bound === "a" ? "arithmetic" : "memory",
    first: readTime(first) ?? time,
    differs: differs === "!",
  };
}

/** The results that a link holds, as far as they can be read; null: none. */
export function readResults(hash: string): Results | null {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith("1/") || text.length > LONGEST_LINK) return null;
  const fields = new URLSearchParams(text.slice(2));
  const measured = cases.flatMap(({ name }) => readCase(name, fields.get(name) ?? "") ?? []);
  if (measured.length === 0) return null;
  const date = fields.get("at") ?? "";
  return {
    measured,
    machine: (fields.get("on") ?? "").slice(0, LONGEST_MACHINE),
    date: /^\d{4}-\d\d-\d\d$/.test(date) ? date : "",
  };
}

/** The cells of a row, as the table and Markdown have them; "" where there is nothing. */
export function cellsOf(measured: Measured): string[] {
  const { name, ours, plain, limit, first } = measured;
  const bench = caseOf(name);
  const [ratio, share] = [ratioOf(measured), shareOf(measured)];
  return [
    digits(ours),
    bench ? `${digits(rateOf(bench, ours))} ${bench.unit}` : "",
    plain === null ? "" : digits(plain),
    ratio === null ? "" : digits(ratio),
    limit === null ? "" : digits(limit),
    share === null ? "" : percent(share),
    digits(first),
  ];
}

/** A table in Markdown. */
export function markdownOf({ measured, machine, date }: Results): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const plainText = (text: string): string => text.replace(/[|\\`*_<>[\]\r\n]/g, " ");
  const rows = measured.map((each) => line([caseOf(each.name)?.title ?? "", ...cellsOf(each)]));
  const head = [w.columns.case, ...w.columns.times];
  const rule = ["---", ...w.columns.times.map(() => "---:")];
  return [
    `${w.title}, ${plainText(machine)}, ${date}`,
    "",
    line(head),
    line(rule),
    ...rows,
    "",
  ].join("\n");
}

/** What the browser says of itself, as a person would. */
export function describeMachine(agent: string, cores: number): string {
  // A browser names those that it is like, too, and a system the one that it is made of.
  const browsers: [RegExp, string][] = [
    [/Edg(?:A|iOS)?\/(\d+)/, "Edge"],
    [/(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
    [/(?:Chrome|CriOS)\/(\d+)/, "Chrome"],
    [/Version\/(\d+)/, "Safari"],
  ];
  const versions = browsers.map(([pattern, name]) => [name, pattern.exec(agent)?.[1]] as const);
  const browser = versions.find(([, version]) => version)?.join(" ") ?? w.unknownBrowser;
  const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "CrOS", "Linux"];
  const system = systems.find((name) => agent.includes(name)) ?? "";
  return [browser, system, cores > 0 ? w.cores(cores) : ""].filter(Boolean).join(", ");
}
