import { type Signal, signal } from "@preact/signals";
import type { PrecisionResult } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";
import type { OtherProgram } from "../../app/other_program";
import { MULTIPLY_ADDS, PRODUCTS } from "../../app/settings";

/**
 * What the program is compared with: itself in wider floats, in f32 and with sums in f64, in its own
 * types but with sums in f64, with other inputs; another program; what its results should be.
 */
export const REFERENCES = ["f64", "f32", "f32sums", "sums", "inputs", "other", "expected"] as const;
export type Reference = (typeof REFERENCES)[number];

/** What the second run has in place of the first one's; "" for the same. */
export interface OtherRun {
  seed: string;
  /** How products of f32 are computed; "f32": exactly. */
  products: string;
  /** How products are added; "separate": they are rounded first. */
  multiplyAdd: string;
  /** By parameter. */
  inputs: string[];
}

/** What a result should be. */
export interface Expected {
  /** Which element of a tuple, as "1.0"; "" for all of it. */
  element: string;
  text: string;
  file: { name: string; bytes: Uint8Array } | null;
}
export const NO_EXPECTED: Expected = { element: "", text: "", file: null };

/** Settings of the second run that are one of some words: what each calls the usual one. */
export const OTHER_CHOICES = [
  { key: "products", usual: "f32", choices: PRODUCTS },
  { key: "multiplyAdd", usual: "separate", choices: MULTIPLY_ADDS },
] as const;

export const SAME_RUN: OtherRun = { seed: "", products: "", multiplyAdd: "", inputs: [] };

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
  /** All that was asked, part by part: an outcome is of an earlier question where one differs. */
  question: readonly unknown[];
  answer: PrecisionResult;
}

export interface PrecisionSession {
  reference: Signal<Reference>;
  /** The other program; null: none was chosen. */
  other: Signal<OtherProgram | null>;
  run: Signal<OtherRun>;
  expected: Signal<Expected[]>;
  order: Signal<Order>;
  outcome: Signal<PrecisionOutcome | null>;
  /** Whether a comparison is to be seen: a link that says so compares when the view is shown. */
  compared: Signal<boolean>;
  /** Ends the runs that are under way; null: none are. */
  running: Signal<AbortController | null>;
  /** Why the last attempt has no outcome. */
  problem: Signal<string>;
}

export const precisionSession = perPage(
  (): PrecisionSession => ({
    reference: signal<Reference>("f64"),
    other: signal<OtherProgram | null>(null),
    run: signal<OtherRun>(SAME_RUN),
    expected: signal<Expected[]>([NO_EXPECTED]),
    order: signal<Order>("introduced"),
    outcome: signal<PrecisionOutcome | null>(null),
    compared: signal(false),
    running: signal<AbortController | null>(null),
    problem: signal(""),
  }),
);
