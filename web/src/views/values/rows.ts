/**
 * The rows of the list of values: outputs first (of every device, and what the host got), then the
 * trace of one device in order. Pure.
 */

import type { RunResult, TraceEntry, ValueInfo } from "../../../../wasm/engine_api";
import type { ValueChoice } from "../../app/state";
import { type Loop, unroll } from "./loops";
import { valueWords } from "./words";

export interface ValueRow {
  choice: ValueChoice;
  label: string;
  opcode: string;
  value: ValueInfo;
  entry: TraceEntry | null;
}

function outputRows(run: RunResult): ValueRow[] {
  const rows: ValueRow[] = [];
  const add = (entry: ValueChoice["entry"], label: string, value: ValueInfo): void => {
    rows.push({ choice: { entry, path: [] }, label, opcode: "", value, entry: null });
  };
  if (run.devices) {
    for (const { device, output } of run.devices) {
      const entry = device === 0 ? "output" : (`output@${device}` as const);
      if (output) add(entry, valueWords.outputOf(device), output);
    }
  } else if (run.output) {
    add("output", valueWords.output, run.output);
  }
  run.hostOutputs?.forEach((output, i) => {
    add(`host:${i}`, valueWords.toHost(output.shown, output.device), output.value);
  });
  return rows;
}

/** What the list shows of a run. */
export interface Shown {
  device: number;
  /** Of loops, by their keys. */
  iterations: Readonly<Record<string, number>>;
  /** What is looked at. */
  focus: TraceEntry | null;
}

/** All rows, and the loops that they have one iteration of. */
export function rowsOf(run: RunResult, shown: Shown): { rows: ValueRow[]; loops: Loop[] } {
  const rows = outputRows(run);
  const { device, iterations, focus } = shown;
  const trace = run.devices
    ? run.trace.filter((entry) => (entry.device ?? 0) === device)
    : run.trace;
  const { entries, loops } = unroll(trace, iterations, focus);
  for (const entry of entries) {
    rows.push({
      choice: { entry: entry.id, path: [] },
      label: entry.shown,
      opcode: entry.opcode,
      value: entry.value,
      entry,
    });
  }
  return { rows, loops };
}

export function filterRows(rows: ValueRow[], filter: string): ValueRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(
    (row) => row.label.toLowerCase().includes(wanted) || row.opcode.includes(wanted),
  );
}

/** What of a long run is listed: beyond a number of values the oldest in loops make room, and without loops the last are left out. */
export function cutText({ trace, traceCount }: Pick<RunResult, "trace" | "traceCount">): string {
  if (traceCount <= trace.length) return "";
  return valueWords.cut(trace.length, traceCount, trace.at(-1)?.id === trace.length - 1);
}
