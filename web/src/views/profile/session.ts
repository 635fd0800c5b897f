import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface ProfileSession {
  /** The node whose part of the time fills the picture; 0 is the program. */
  zoomed: Signal<number>;
}

export const profileSession = perPage((): ProfileSession => ({ zoomed: signal(0) }));
