/** The rows of the list of values: outputs first, then the trace in order. Pure. */

import type { RunResult, TraceEntry, ValueInfo } from "../../../../wasm/engine_api";
import { bareName } from "../../app/actions";
import type { ValueChoice } from "../../app/state";
import { words } from "../../strings";

export interface ValueRow {
  choice: ValueChoice;
  label: string;
  opcode: string;
  value: ValueInfo;
  entry: TraceEntry | null;
}

export function rowsOf(run: RunResult, filter: string): ValueRow[] {
  const rows: ValueRow[] = [];
  if (run.output) {
    rows.push({
      choice: { entry: "output", path: [] },
      label: words.values.output,
      opcode: "",
      value: run.output,
      entry: null,
    });
  }
  for (const entry of run.trace) {
    rows.push({
      choice: { entry: entry.id, path: [] },
      label: bareName(entry.name),
      opcode: entry.opcode,
      value: entry.value,
      entry,
    });
  }
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter(
    (row) => row.label.toLowerCase().includes(wanted) || row.opcode.includes(wanted),
  );
}
