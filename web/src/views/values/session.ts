/** How values are shown. */
import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export const MODES = ["grid", "table", "text"] as const;
export type Mode = (typeof MODES)[number];

/** Height of the list above the value, as a share of 0 to 1. */
export const INITIAL_SHARE = 0.46;

export interface ValuesSession {
  mode: Signal<Mode>;
  heat: Signal<boolean>;
  share: Signal<number>;
}

export const valuesSession = perPage(
  (): ValuesSession => ({
    mode: signal("grid"),
    heat: signal(false),
    share: signal(INITIAL_SHARE),
  }),
);
