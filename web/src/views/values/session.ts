/** How values are shown. */
import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

/** Pictures and figures of the whole array, beside its elements. */
export const FIGURES = ["map", "image", "histogram", "line", "statistics", "bits"] as const;
export type Figure = (typeof FIGURES)[number];
export const MODES = ["grid", "table", "text", ...FIGURES] as const;
export type Mode = (typeof MODES)[number];

/** Height of the list above the value, as a share of 0 to 1. */
export const INITIAL_SHARE = 0.46;

export interface ValuesSession {
  mode: Signal<Mode>;
  heat: Signal<boolean>;
  /** How it is drawn beyond that, in one text (`look.ts`). */
  look: Signal<string>;
  share: Signal<number>;
  /** What took the time of the run is listed. */
  planOpen: Signal<boolean>;
  /** The text that narrows the list. */
  filter: Signal<string>;
  /** The one of several whose values are listed. */
  device: Signal<number>;
  /** Which iteration of a loop is shown, by the loop's key (`loops.ts`). */
  iterations: Signal<Readonly<Record<string, number>>>;
}

/** Loops that a link names at most. */
const MOST_LOOPS = 32;

/** "main/while.3:7,body/while.5:0": the iteration that is shown of each loop. Others than there are change nothing. */
export function parseIterations(text: string): Readonly<Record<string, number>> {
  const parts = text.slice(0, 4000).split(",", MOST_LOOPS);
  return Object.fromEntries(
    parts.flatMap((part): [string, number][] => {
      const at = part.lastIndexOf(":");
      const [key, number] = [part.slice(0, at), part.slice(at + 1)];
      return key.includes("/") && /^\d{1,9}$/.test(number) ? [[key, Number(number)]] : [];
    }),
  );
}

export const printIterations = (iterations: Readonly<Record<string, number>>): string =>
  Object.entries(iterations)
    .map(([key, number]) => `${key}:${number}`)
    .join(",");

export const valuesSession = perPage(
  (): ValuesSession => ({
    mode: signal("grid"),
    heat: signal(false),
    look: signal(""),
    share: signal(INITIAL_SHARE),
    planOpen: signal(false),
    filter: signal(""),
    device: signal(0),
    iterations: signal({}),
  }),
);
