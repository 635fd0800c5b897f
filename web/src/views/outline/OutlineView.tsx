/** The program as a tree: computations, instructions, and of each its operands and attributes. */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { goTo, isInFocus, openOverlay, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { type InstructionId, NO_FOCUS } from "../../app/state";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Filter, NoMatch } from "../../ui/Filter";
import { lettersStyle, mostLetters, Name } from "../../ui/Name";
import { VirtualList } from "../../ui/VirtualList";
import { instructionAt, type OutlineRow, outlineRows, parentOf, rangeOf } from "./rows";
import "./outline.css";
import { outlineSession } from "./session";
import { outlineWords } from "./words";

/** As many letters as the mark of a root takes. */
const MARK = 6;

const lettersOf = (row: OutlineRow, most: number): number =>
  row.kind === "instruction"
    ? Math.min(most, row.instruction.shown.length) + (row.instruction.root ? MARK : 0)
    : 0;

function Row({ row, most }: { row: OutlineRow; most: number }): JSX.Element {
  if (row.kind === "computation") {
    return (
      <span class="outline-computation">
        <b class="mono">{row.computation.shown}</b>
        {row.computation.entry && <span class="badge">{outlineWords.entry}</span>}
        <span class="muted">{words.status.instructions(row.computation.instructions.length)}</span>
      </span>
    );
  }
  if (row.kind === "attribute") {
    return (
      <span class="outline-detail">
        <span class="muted">{row.name}</span>
        <span class="mono">{row.value}</span>
      </span>
    );
  }
  const { shown, opcode, shape, root } = row.instruction;
  if (row.kind === "operand") {
    return (
      <span class="outline-detail">
        <span class="muted">{outlineWords.operand(row.number)}</span>
        <span class="mono">{shown}</span>
        <span class="mono muted">{shape}</span>
      </span>
    );
  }
  return (
    <>
      <span class="cell name">
        <Name name={shown} most={most} />
        {root && <span class="badge">{outlineWords.root}</span>}
      </span>
      <span class="cell opcode">{opcode}</span>
      <span class="cell shape">{shape}</span>
    </>
  );
}

function Head({ app }: { app: App }): JSX.Element | null {
  const check = app.state.check.value;
  if (!check?.module) return null;
  const counts = [
    words.status.computations(check.computationCount),
    words.status.instructions(check.instructionCount),
  ];
  return (
    <p class="outline-head">
      <b class="mono">{outlineWords.module(check.module)}</b>
      <span class="muted">{counts.join(", ")}</span>
    </p>
  );
}

/** The selected row, as long as nothing else was selected elsewhere. */
interface Chosen {
  key: string;
  focus: InstructionId;
}

/** Index of the chosen row, else of the instruction that is selected elsewhere; -1: none. */
function selectedRow(app: App, rows: readonly OutlineRow[], chosen: Chosen): number {
  const { name, computation } = app.state.focus.value;
  const isOurs = chosen.focus.name === name && chosen.focus.computation === computation;
  const own = isOurs ? rows.findIndex(({ key }) => key === chosen.key) : -1;
  if (own >= 0) return own;
  return rows.findIndex((row) => {
    const id = row.kind === "instruction" ? instructionAt(row) : null;
    return id !== null && isInFocus(app.state, id);
  });
}

interface TreeProps {
  app: App;
  /** Keys of rows that are not as they begin: open, or closed. */
  toggled: Signal<ReadonlySet<string>>;
  chosen: Signal<Chosen>;
}

/** The rows as a tree. */
function Tree({ app, toggled, chosen }: TreeProps): JSX.Element {
  const { filter } = outlineSession(app);
  const { outline, outlineText, narrow } = app.state;
  const rows = outlineRows(outline.value, filter.value, outlineText.value, toggled.value);
  const most = mostLetters(narrow.value);
  const open = (index: number, moves: boolean): void => {
    const row = rows[index];
    if (!row) return;
    // Set immediately, so that the cursor's later report of the same place changes nothing.
    const instruction = instructionAt(row);
    if (instruction) selectInstruction(app, instruction);
    chosen.value = { key: row.key, focus: app.state.focus.value };
    if (moves) goTo(app, rangeOf(row));
    else app.editor?.goTo(rangeOf(row), false);
  };
  const focus = app.state.focus.value;
  const toggle = (index: number): void => {
    const row = rows[index];
    if (row?.expanded === undefined) return;
    const next = new Set(toggled.value);
    if (!next.delete(row.key)) next.add(row.key);
    toggled.value = next;
    chosen.value = { key: row.key, focus };
  };
  return (
    <div class="outline-view" style={lettersStyle(rows.map((row) => lettersOf(row, most)))}>
      <Head app={app} />
      <div class="list-tools">
        <Filter label={outlineWords.filter} text={filter} />
      </div>
      {rows.length === 0 ? (
        <NoMatch text={filter} sentence={outlineWords.noMatch} />
      ) : (
        <VirtualList
          id="outline-list"
          label={words.outline.title}
          items={rows}
          rowHeight={26}
          selected={selectedRow(app, rows, chosen.value)}
          onSelect={(index) => open(index, false)}
          onOpen={(index) => open(index, true)}
          row={(row) => <Row row={row} most={most} />}
          tree={{
            level: ({ level }) => level,
            expanded: ({ expanded }) => expanded,
            parent: (index) => parentOf(rows, index),
            toggle,
          }}
        />
      )}
    </div>
  );
}

export function OutlineView({ app }: { app: App }): JSX.Element {
  // Kept while there is no outline, as of a text with a fault.
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const chosen = useSignal<Chosen>({ key: "", focus: NO_FOCUS });
  if (app.state.outline.value.length > 0) {
    return <Tree app={app} toggled={toggled} chosen={chosen} />;
  }
  return (
    <Empty
      sentence={words.outline.empty}
      action={words.outline.emptyAction}
      onAction={() => openOverlay(app, "examples")}
    />
  );
}
