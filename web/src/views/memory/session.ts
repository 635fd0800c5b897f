import { type Signal, signal } from "@preact/signals";
import { perPage } from "../../app/app";

export type Order = "size" | "padding";

export interface MemorySession {
  /** What the list of buffers is sorted by. */
  order: Signal<Order>;
}

export const memorySession = perPage((): MemorySession => ({ order: signal("size") }));
