/** Computations and their instructions; choosing one goes to it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ComputationInfo, InstructionInfo } from "../../../wasm/engine_api";
import { bareName, goTo, selectInstruction, shownName } from "../app/actions";
import type { App } from "../app/app";
import { words } from "../strings";
import { Empty } from "../ui/Empty";
import { Filter } from "../ui/Filter";
import { VirtualList } from "../ui/VirtualList";

export type OutlineRow =
  | { kind: "computation"; computation: ComputationInfo }
  | { kind: "instruction"; instruction: InstructionInfo };

/** Computations without a matching instruction are left out, unless they match by name. */
export function outlineRows(outline: ComputationInfo[], filter: string): OutlineRow[] {
  const wanted = filter.trim().toLowerCase();
  return outline.flatMap((computation) => {
    const whole = computation.name.toLowerCase().includes(wanted);
    const instructions = computation.instructions.filter(
      ({ name, opcode }) => whole || name.toLowerCase().includes(wanted) || opcode.includes(wanted),
    );
    if (!whole && instructions.length === 0) return [];
    return [
      { kind: "computation" as const, computation },
      ...instructions.map((instruction) => ({ kind: "instruction" as const, instruction })),
    ];
  });
}

function Row({ row, text }: { row: OutlineRow; text: string }): JSX.Element {
  if (row.kind === "computation") {
    return (
      <span class="outline-computation">
        <b class="mono">{`%${bareName(row.computation.name)}`}</b>
        {row.computation.entry && <span class="badge">{words.outline.entry}</span>}
        <span class="muted">{words.status.instructions(row.computation.instructions.length)}</span>
      </span>
    );
  }
  const { name, opcode, shape, root, nameRange } = row.instruction;
  return (
    <>
      <span class="cell name indented">
        {`%${shownName(name, text, nameRange[0])}`}
        {root && <span class="badge">{words.outline.root}</span>}
      </span>
      <span class="cell opcode">{opcode}</span>
      <span class="cell shape">{shape}</span>
    </>
  );
}

export function OutlineView({ app }: { app: App }): JSX.Element {
  const filter = useSignal("");
  const outline = app.state.outline.value;
  if (outline.length === 0) {
    return (
      <Empty
        sentence={words.outline.empty}
        action={words.outline.emptyAction}
        onAction={() => {
          app.state.overlay.value = "examples";
        }}
      />
    );
  }
  const rows = outlineRows(outline, filter.value);
  const name = app.state.selection.value.name;
  const selected = rows.findIndex(
    (row) => row.kind === "instruction" && bareName(row.instruction.name) === name,
  );
  const open = (index: number, focus: boolean): void => {
    const row = rows[index];
    if (!row) return;
    const target = row.kind === "computation" ? row.computation : row.instruction;
    if (row.kind === "instruction") selectInstruction(app, row.instruction.name);
    if (focus) goTo(app, target.nameRange);
    else app.editor?.goTo(target.nameRange, false);
  };
  return (
    <div class="outline-view">
      <div class="list-tools">
        <Filter label={words.outline.filter} text={filter} />
      </div>
      <VirtualList
        id="outline-list"
        label={words.outline.title}
        items={rows}
        rowHeight={26}
        selected={selected}
        onSelect={(index) => open(index, false)}
        onOpen={(index) => open(index, true)}
        row={(row) => <Row row={row} text={app.state.text.value} />}
      />
    </div>
  );
}
