import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ChangeKind } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";
import type { OtherProgram } from "../../app/other_program";

/** Two programs that are compared. */
export interface ComparedPair {
  before: OtherProgram;
  after: OtherProgram;
  /** `after` is the program in the editor: what is selected is shown there too. */
  isProgram: boolean;
}

/** What is compared: the program with another one, all files of a dump, or the program with itself after passes. */
export const SUBJECTS = ["program", "stages", "passes"] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What is shown of both programs. */
export const SIDES = ["texts", "graphs", "memory"] as const;
export type Sides = (typeof SIDES)[number];

export interface CompareSession {
  subject: Signal<Subject>;
  /** Passes that are left out. */
  skipped: Signal<readonly string[]>;
  /** Name of the pass whose effect is shown; "" for all of them together. */
  pass: Signal<string>;
  sides: Signal<Sides>;
  /** Texts are shown with all that did not change. */
  allLines: Signal<boolean>;
  /** Null: none was chosen. */
  before: ReadonlySignal<OtherProgram | null>;
  compareWith(other: OtherProgram | null): void;
  /** While none was chosen: the open file before the shown one, as far as the view has read it. */
  opened: Signal<OtherProgram | null>;
  /** Kinds of changes that are not listed. */
  hidden: Signal<readonly ChangeKind[]>;
}

export const compareSession = perPage((): CompareSession => {
  const before = signal<OtherProgram | null>(null);
  return {
    before,
    compareWith(other) {
      before.value = other;
    },
    opened: signal<OtherProgram | null>(null),
    subject: signal<Subject>("program"),
    skipped: signal<readonly string[]>([]),
    pass: signal(""),
    sides: signal<Sides>("texts"),
    allLines: signal(false),
    hidden: signal<readonly ChangeKind[]>([]),
  };
});
