import { type Signal, signal } from "@preact/signals";
import type { PrecisionResult } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";
import type { OtherProgram } from "../../app/other_program";

/** What the program is compared with: itself in wider floats, or another program. */
export const REFERENCES = ["f64", "f32", "other"] as const;
export type Reference = (typeof REFERENCES)[number];

export const ORDERS = [
  "introduced",
  "error",
  "ulp",
  "relative",
  "grows",
  "times",
  "order",
] as const;
export type Order = (typeof ORDERS)[number];

export interface PrecisionOutcome {
  /** The program that was run. */
  text: string;
  /** What it was compared with. */
  reference: Reference;
  answer: PrecisionResult;
}

export interface PrecisionSession {
  reference: Signal<Reference>;
  /** The other program; null: none was chosen. */
  other: Signal<OtherProgram | null>;
  order: Signal<Order>;
  outcome: Signal<PrecisionOutcome | null>;
  /** Ends the runs that are under way; null: none are. */
  running: Signal<AbortController | null>;
  /** Why the last attempt has no outcome. */
  problem: Signal<string>;
}

export const precisionSession = perPage(
  (): PrecisionSession => ({
    reference: signal<Reference>("f64"),
    other: signal<OtherProgram | null>(null),
    order: signal<Order>("introduced"),
    outcome: signal<PrecisionOutcome | null>(null),
    running: signal<AbortController | null>(null),
    problem: signal(""),
  }),
);
