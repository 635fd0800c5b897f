/**
 * What is made of the program, as text: the program in the other dialect, its plan, the code of its
 * loops; and which line belongs to which of the program's. It is updated while it is shown; if
 * nothing can be made of a program the last text is kept, marked stale.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type App, perPage } from "../../app/app";
import { Latest } from "../../app/engines";
import type { LinePointer } from "../../editor/linked";
import type { Conversion, Kind } from "./kinds";

export type Side = "program" | "other";
export interface PointedLine {
  side: Side;
  line: number;
}

export interface DialectSession {
  /** Which of the texts is shown. */
  kind: Signal<Kind>;
  /** The last converted text; null before the first. */
  shown: Signal<Conversion | null>;
  /** Why the current program has no counterpart; null if it has one. */
  refused: Signal<Conversion | null>;
  hover: Signal<PointedLine | null>;
  cursor: Signal<PointedLine | null>;
  /** The view that was shown before this one. */
  before: string;
  /**
   * The line that is pointed at. Its own text is not scrolled to show its highlight: the lines would
   * move away under the mouse.
   */
  pointed: ReadonlySignal<PointedLine | null>;
  /** The line that each side's mouse and cursor point at: the last report counts. */
  pointer(side: Side): LinePointer;
  /** Lines to highlight on each side. */
  marks: ReadonlySignal<Record<Side, number[]>>;
  start(app: App): () => void;
}

/** The lines that belong to one line, on both sides; `lines` are pairs, each (program, other). */
export function linkedTo(
  lines: ArrayLike<number>,
  pointed: PointedLine | null,
): Record<Side, number[]> {
  const marks: Record<Side, Set<number>> = { program: new Set(), other: new Set() };
  if (pointed) {
    const [mine, theirs] = pointed.side === "program" ? ([0, 1] as const) : ([1, 0] as const);
    const other = pointed.side === "program" ? "other" : "program";
    for (let i = 0; i < lines.length; i += 2) {
      if (lines[i + mine] === pointed.line) marks[other].add(lines[i + theirs] ?? 0);
    }
    // A line without a counterpart is not highlighted.
    if (marks[other].size > 0) marks[pointed.side].add(pointed.line);
  }
  const sorted = (set: Set<number>): number[] => [...set].sort((a, b) => a - b);
  return { program: sorted(marks.program), other: sorted(marks.other) };
}

export function createDialectSession(app?: App): DialectSession {
  const kind = signal<Kind>("dialect");
  const shown = signal<Conversion | null>(null);
  const refused = signal<Conversion | null>(null);
  const hover = signal<PointedLine | null>(null);
  const cursor = signal<PointedLine | null>(null);
  const current = signal(false);
  const pointed = computed(() => hover.value ?? cursor.value);
  const marks = computed(() =>
    linkedTo(current.value ? (shown.value?.result.lines ?? []) : [], pointed.value),
  );
  return {
    kind,
    shown,
    refused,
    hover,
    cursor,
    pointed,
    before: app?.views[0]?.id ?? "",
    pointer: (side) => ({
      hover: (line) => {
        hover.value = line === null ? null : { side, line };
      },
      cursor: (line) => {
        hover.value = null;
        cursor.value = { side, line };
      },
    }),
    marks,
    start(app) {
      const ask = new Latest(async ([text, wanted]: [string, Kind]) => {
        const made = await (await import("./making")).convert(app, text, wanted);
        if (app.state.text.peek() !== text || kind.peek() !== wanted) return;
        if (made.result.ok) shown.value = made;
        refused.value = made.result.ok ? null : made;
        current.value = made.result.ok;
      });
      return effect(() => {
        const text = app.state.text.value;
        const wanted = kind.value;
        void app.state.openInputs.value;
        if (app.state.view.value !== "dialect") {
          current.value = false;
          return;
        }
        // Nothing of another kind is shown meanwhile.
        if (shown.peek() && shown.peek()?.kind !== wanted) {
          batch(() => {
            shown.value = null;
            refused.value = null;
            current.value = false;
          });
        }
        void ask.ask([text, wanted]);
      });
    },
  };
}

export const dialectSession = perPage(createDialectSession);
