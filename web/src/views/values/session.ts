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
