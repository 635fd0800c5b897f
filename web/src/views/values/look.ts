/** How values are shown; part of a link. */
import { signal } from "@preact/signals";

export type Mode = "grid" | "table" | "text";
export const mode = signal<Mode>("grid");
export const heat = signal(false);
