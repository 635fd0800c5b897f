import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface OpsSession {
  /** The text that narrows the list of operations. */
  filter: Signal<string>;
}

export const opsSession = perPage((): OpsSession => ({ filter: signal("") }));
