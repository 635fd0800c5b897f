import { type Signal, signal } from "@preact/signals";
import type { CostOrder, MachineInfo } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";

/** Which machine: one the engine knows by its id, this browser (measured), or typed figures. */
export type MachineChoice = { id: string } | { typed: TypedFigures };

/** TFLOP/s by width of the elements, and GB/s. */
export interface TypedFigures {
  peak64: number;
  peak32: number;
  peak16: number;
  peak8: number;
  bandwidth: number;
}
export const FIGURES = ["peak64", "peak32", "peak16", "peak8", "bandwidth"] as const;

/** The machine that is measured. */
export const HERE = "here";
export const USUAL_MACHINE = "v5e";

export interface Sorting {
  by: CostOrder;
  ascending: boolean;
}
export const COLUMNS = [
  "name",
  "time",
  "flops",
  "transcendentals",
  "read",
  "written",
  "padding",
  "intensity",
  "times",
] as const;

export interface CostSession {
  machine: Signal<MachineChoice>;
  sorting: Signal<Sorting>;
  /** This browser, once it was measured in this session. */
  measured: Signal<MachineInfo | null>;
}

export const costSession = perPage(
  (): CostSession => ({
    machine: signal<MachineChoice>({ id: USUAL_MACHINE }),
    sorting: signal<Sorting>({ by: "time", ascending: false }),
    measured: signal<MachineInfo | null>(null),
  }),
);

/** "v5e", or "typed:0,19.5,312,624,2039". */
export function printMachine(choice: MachineChoice): string {
  if ("id" in choice) return choice.id;
  return `typed:${FIGURES.map((key) => String(choice.typed[key])).join(",")}`;
}

export function parseMachine(text: string): MachineChoice | null {
  if (!text.startsWith("typed:")) return /^[a-z0-9]{1,16}$/.test(text) ? { id: text } : null;
  const figures = text.slice("typed:".length).split(",").map(Number);
  if (figures.length !== FIGURES.length) return null;
  if (!figures.every((n) => Number.isFinite(n) && n >= 0 && n < 1e9)) return null;
  const typed = Object.fromEntries(FIGURES.map((key, i) => [key, figures[i]]));
  return { typed: typed as unknown as TypedFigures };
}

/** "flops" or "-flops": the smallest first. */
export function printSorting({ by, ascending }: Sorting): string {
  return ascending ? `-${by}` : by;
}

export function parseSorting(text: string): Sorting | null {
  const ascending = text.startsWith("-");
  const by = COLUMNS.find((column) => column === text.slice(ascending ? 1 : 0));
  return by ? { by, ascending } : null;
}

/** What the engine is told; null while this browser is not measured yet. */
export function machineOption(session: CostSession): string | MachineInfo | null {
  const choice = session.machine.value;
  if (!("id" in choice)) {
    const { typed } = choice;
    return {
      id: "typed",
      name: "",
      from: "typed",
      source: "",
      peak64: typed.peak64 * 1e12,
      peak32: typed.peak32 * 1e12,
      peak16: typed.peak16 * 1e12,
      peak8: typed.peak8 * 1e12,
      bandwidth: typed.bandwidth * 1e9,
    };
  }
  return choice.id === HERE ? session.measured.value : choice.id;
}
