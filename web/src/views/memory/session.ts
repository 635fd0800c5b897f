import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export type Order = "size" | "padding";

/** Which buffers are listed: all, those at the peaks, or those at a position. */
export type Scope = "all" | "peak" | number;

export interface MemorySession {
  /** What the list of buffers is sorted by. */
  order: Signal<Order>;
  scope: Signal<Scope>;
}

export const memorySession = perPage(
  (): MemorySession => ({ order: signal("size"), scope: signal("peak") }),
);
