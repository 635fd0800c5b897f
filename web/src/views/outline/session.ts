import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface OutlineSession {
  /** The text that narrows the outline. */
  filter: Signal<string>;
}

export const outlineSession = perPage((): OutlineSession => ({ filter: signal("") }));
