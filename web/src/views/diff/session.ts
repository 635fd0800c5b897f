import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ChangeKind } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";

/** A program that the one in the editor is compared with. */
export interface OtherProgram {
  /** The file that it comes from, or what it is. */
  name: string;
  text: string;
}

export interface CompareSession {
  /** Null: none was chosen. */
  before: ReadonlySignal<OtherProgram | null>;
  compareWith(other: OtherProgram | null): void;
  /** Kinds of changes that are not listed. */
  hidden: Signal<readonly ChangeKind[]>;
}

/** How it is written into links: its name, a line break, its text. */
export function writeOther(other: OtherProgram | null): string {
  return other ? `${other.name}\n${other.text}` : "";
}

export function readOther(text: string): OtherProgram | null {
  const end = text.indexOf("\n");
  if (end < 0) return null;
  return { name: text.slice(0, Math.min(end, 200)), text: text.slice(end + 1) };
}

export const compareSession = perPage((): CompareSession => {
  const before = signal<OtherProgram | null>(null);
  return {
    before,
    compareWith(other) {
      before.value = other;
    },
    hidden: signal<readonly ChangeKind[]>([]),
  };
});
