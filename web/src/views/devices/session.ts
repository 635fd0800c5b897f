/** Which exchange of the run is shown. */
import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface DevicesSession {
  /** From 1; one more than there are is the end of the run. */
  exchange: Signal<number>;
}

export const devicesSession = perPage((): DevicesSession => ({ exchange: signal(1) }));
