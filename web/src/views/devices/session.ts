/** Which moment of the run is shown, and of which device. */
import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export interface DevicesSession {
  /** From 1; one more than there are is the end of the run. */
  exchange: Signal<number>;
  /** The device that the data shown goes to, wherever it takes part; null: as the exchange begins. */
  to: Signal<number | "all" | null>;
  /** Steps of the run, when another moment than the exchange's is shown; else null. */
  moment: Signal<number | null>;
  /** The device whose values are listed. */
  device: Signal<number>;
}

export const devicesSession = perPage(
  (): DevicesSession => ({
    exchange: signal(1),
    to: signal(null),
    moment: signal(null),
    device: signal(0),
  }),
);
