/** Which moment of the run is shown, and of which device. */
import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface DevicesSession {
  /** From 1; one more than there are is the end of the run. */
  exchange: Signal<number>;
  /** Steps of the run, when another moment than the exchange's is shown; else null. */
  moment: Signal<number | null>;
  /** The device whose values are listed. */
  device: Signal<number>;
}

export const devicesSession = perPage(
  (): DevicesSession => ({ exchange: signal(1), moment: signal(null), device: signal(0) }),
);
