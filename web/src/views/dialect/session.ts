/**
 * The program in the other dialect, and which of its lines belongs to which. It is updated while it
 * is shown; if a program cannot be converted the last text is kept, marked stale.
 */
import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ConvertResult } from "../../../../wasm/engine_api";
import { type App, perPage } from "../../app/app";
import { checkProgram, Latest } from "../../app/engines";
import type { DialectName } from "../../app/state";
import type { LinePointer } from "../../editor/linked";

export type Side = "program" | "other";
export interface PointedLine {
  side: Side;
  line: number;
}

export interface Conversion {
  /** What was converted, and to what. */
  source: string;
  to: DialectName;
  result: ConvertResult;
  tokens: Uint32Array;
}

export interface DialectSession {
  /** The last converted text; null before the first. */
  shown: Signal<Conversion | null>;
  /** Why the current program has no counterpart; null if it has one. */
  refused: Signal<Conversion | null>;
  hover: Signal<PointedLine | null>;
  cursor: Signal<PointedLine | null>;
  /** The view that was shown before this one. */
  before: string;
  /** The line that each side's mouse and cursor point at: the last report counts. */
  pointer(side: Side): LinePointer;
  /** Lines to highlight on each side. */
  marks: ReadonlySignal<Record<Side, number[]>>;
  start(app: App): () => void;
}

/** The dialect that a text of this kind has a counterpart in. */
export function otherDialect(kind: string | undefined): DialectName {
  return kind === "mlir" ? "hlo" : "stablehlo";
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

async function convert(app: App, text: string): Promise<Conversion> {
  const { typing } = app.engines;
  const { kind } = await checkProgram(app.engines, text, app.state.inputs.value);
  const to = otherDialect(kind);
  const result = await typing.call("convert", [text, { to }]);
  const tokens = result.ok ? await typing.call("tokens", [result.text]) : new Uint32Array();
  return { source: text, to, result, tokens };
}

export function createDialectSession(app?: App): DialectSession {
  const shown = signal<Conversion | null>(null);
  const refused = signal<Conversion | null>(null);
  const hover = signal<PointedLine | null>(null);
  const cursor = signal<PointedLine | null>(null);
  const current = signal(false);
  const marks = computed(() =>
    linkedTo(current.value ? (shown.value?.result.lines ?? []) : [], hover.value ?? cursor.value),
  );
  return {
    shown,
    refused,
    hover,
    cursor,
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
      const ask = new Latest(async (text: string) => {
        const made = await convert(app, text);
        if (app.state.text.peek() !== text) return;
        if (made.result.ok) shown.value = made;
        refused.value = made.result.ok ? null : made;
        current.value = made.result.ok;
      });
      return effect(() => {
        const text = app.state.text.value;
        void app.state.openInputs.value;
        if (app.state.view.value !== "dialect") {
          current.value = false;
          return;
        }
        void ask.ask(text);
      });
    },
  };
}

export const dialectSession = perPage(createDialectSession);
