/**
 * The rows of the list of values: outputs first (of every device, and what the host got), then the
 * trace of one device in order. Pure.
 */

import type { RunResult, TraceEntry, ValueInfo } from "../../../../wasm/engine_api";
import type { ValueChoice } from "../../app/state";
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

export function rowsOf(run: RunResult, filter: string, device = 0): ValueRow[] {
  const rows = outputRows(run);
  for (const entry of run.trace) {
    if ((entry.device ?? 0) !== device) continue;
    rows.push({
      choice: { entry: entry.id, path: [] },
      label: entry.shown,
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
