/** What the Why view was asked, and what of its answer is marked elsewhere on the page. */
import { type Signal, signal } from "@preact/signals";
import type { FirstKind, WhyBox } from "../../../wasm/engine_api";
import { perPage } from "../app/app";
import type { Results } from "../app/state";

/** Elements of one array of a value of the run. */
export interface MarkedElements {
  computation: string;
  name: string;
  device: number;
  iterations: string;
  path: string;
  boxes: readonly WhyBox[];
}

/** A path through a run: in the editor, in the values and in the graph. */
export interface WhyMarks {
  results: Results;
  /** What it is: "where t[2] comes from"../views/why/. */
  title: string;
  /** Of the text, from 0, sorted. */
  lines: readonly number[];
  elements: readonly MarkedElements[];
  /** "computation/name" of all instructions on it. */
  instructions: ReadonlySet<string>;
}

interface WhySession {
  /** What is searched for in the run; null: the selected element is followed. */
  first: Signal<FirstKind | null>;
  /** The selected element is followed forward. */
  forward: Signal<boolean>;
  marks: Signal<WhyMarks | null>;
  /** Of the next answer the end of the chain is selected. */
  toOrigin: Signal<boolean>;
}

export const whySession = perPage(
  (): WhySession => ({
    first: signal(null),
    forward: signal(false),
    marks: signal(null),
    toOrigin: signal(false),
  }),
);
