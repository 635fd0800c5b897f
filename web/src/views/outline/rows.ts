/** The rows of the outline: a tree of computations, their instructions, and what these consist of. */
import type { ComputationInfo, InstructionInfo, TextRange } from "../../../../wasm/engine_api";
import { idOf } from "../../app/actions";
import type { InstructionId } from "../../app/state";

interface Row {
  /**
   * Identifies the place in the tree, so that expanded rows stay expanded when the text changes.
   */
  key: string;
  /** 1 and up. */
  level: number;
  /** Undefined for leaves. */
  expanded?: boolean;
}
export type OutlineRow = Row &
  (
    | { kind: "computation"; computation: ComputationInfo }
    | { kind: "instruction"; computation: ComputationInfo; instruction: InstructionInfo }
    | {
        kind: "operand";
        number: number;
        computation: ComputationInfo;
        instruction: InstructionInfo;
      }
    | {
        kind: "attribute";
        computation: ComputationInfo;
        of: InstructionInfo;
        name: string;
        value: string;
        range: TextRange;
      }
  );

/** Depth limit for computations that call one another recursively, in an invalid program. */
const MOST_LEVELS = 40;
const MOST_CHARACTERS = 300;

/** Rows the user has expanded or collapsed: by default only computations are expanded. */
export type Toggled = ReadonlySet<string>;

class Builder {
  readonly rows: OutlineRow[] = [];
  readonly #byName: Map<string, ComputationInfo>;
  readonly #text: string;
  readonly #toggled: Toggled;

  constructor(outline: readonly ComputationInfo[], text: string, toggled: Toggled) {
    this.#byName = new Map(outline.map((computation) => [computation.name, computation]));
    this.#text = text;
    this.#toggled = toggled;
  }

  computation(
    computation: ComputationInfo,
    instructions: readonly InstructionInfo[],
    above: string,
    level: number,
  ): void {
    const key = `${above}/${computation.name}`;
    const isTop = level === 1;
    const expanded = this.#toggled.has(key) !== isTop;
    this.rows.push({ kind: "computation", key, level, expanded, computation });
    if (!expanded) return;
    for (const instruction of instructions)
      this.#instruction(computation, instruction, key, level + 1);
  }

  #instruction(
    of: ComputationInfo,
    instruction: InstructionInfo,
    above: string,
    level: number,
  ): void {
    const key = `${above}/${instruction.name}`;
    const has = instruction.operands.length + instruction.attributes.length > 0;
    const expanded = has ? this.#toggled.has(key) : undefined;
    const open = expanded === undefined ? {} : { expanded };
    this.rows.push({ kind: "instruction", key, level, ...open, computation: of, instruction });
    if (!expanded) return;
    for (const [number, at] of instruction.operands.entries()) {
      const operand = of.instructions[at];
      if (!operand) continue;
      this.rows.push({
        kind: "operand",
        key: `${key}/${number}`,
        level: level + 1,
        number,
        computation: of,
        instruction: operand,
      });
    }
    for (const attribute of instruction.attributes) {
      this.#attribute(of, instruction, attribute, `${key}/${attribute.name}=`, level + 1);
    }
  }

  /** An attribute that names computations has them below it. */
  #attribute(
    computation: ComputationInfo,
    of: InstructionInfo,
    { name, range, calls }: InstructionInfo["attributes"][number],
    key: string,
    level: number,
  ): void {
    const called = level < MOST_LEVELS ? calls.flatMap((call) => this.#byName.get(call) ?? []) : [];
    const expanded = called.length > 0 ? this.#toggled.has(key) : undefined;
    const open = expanded === undefined ? {} : { expanded };
    const value = this.#text.slice(range[0], Math.min(range[1], range[0] + MOST_CHARACTERS));
    this.rows.push({
      kind: "attribute",
      key,
      level,
      ...open,
      computation,
      of,
      name,
      value,
      range,
    });
    if (!expanded) return;
    for (const callee of called) {
      this.computation(callee, callee.instructions, key, level + 1);
    }
  }
}

/** Computations without a matching instruction are left out, unless they match by name. */
export function outlineRows(
  outline: readonly ComputationInfo[],
  filter: string,
  text = "",
  toggled: Toggled = new Set(),
): OutlineRow[] {
  const wanted = filter.trim().toLowerCase();
  const builder = new Builder(outline, text, toggled);
  for (const computation of outline) {
    const whole = computation.shown.toLowerCase().includes(wanted);
    const instructions = computation.instructions.filter(
      ({ shown, opcode }) =>
        whole || shown.toLowerCase().includes(wanted) || opcode.includes(wanted),
    );
    if (whole || instructions.length > 0) builder.computation(computation, instructions, "", 1);
  }
  return builder.rows;
}

/** The place in the text that a row stands for. */
export function rangeOf(row: OutlineRow): TextRange {
  if (row.kind === "computation") return row.computation.nameRange;
  return row.kind === "attribute" ? row.range : row.instruction.nameRange;
}

/** The instruction at a row's place; null for a computation. */
export function instructionAt(row: OutlineRow): InstructionId | null {
  if (row.kind === "computation") return null;
  const { name } = row.kind === "attribute" ? row.of : row.instruction;
  return idOf({ name, computation: row.computation.name });
}

/** The row above, one level up; -1 for none. */
export function parentOf(rows: readonly OutlineRow[], index: number): number {
  const level = rows[index]?.level ?? 0;
  for (let i = index - 1; i >= 0; i--) if ((rows[i]?.level ?? 0) < level) return i;
  return -1;
}
