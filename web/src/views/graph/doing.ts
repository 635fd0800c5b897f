/** What a person does in the graph: actions on its session, for the view and for commands. */
import { batch } from "@preact/signals";
import type { GraphModel, InstructionBox } from "../../../../wasm/engine_api";
import { selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import type { InstructionId } from "../../app/state";
import { type GraphSession, graphSession, NO_PATH } from "./session";

/** Steps of a neighborhood that is asked for without a number. */
export const STEPS = 2;

/** Index of the box that the keys start from; -1: none. */
export function boxAtKeys(session: GraphSession): number {
  const model = session.shown.value?.model;
  if (!model) return -1;
  const own = session.at.value ? model.boxes.findIndex(({ id }) => id === session.at.value) : -1;
  return own >= 0 ? own : (model.focus?.box ?? -1);
}

/** Opens or closes a box. */
export function toggle(session: GraphSession, model: GraphModel, index: number): void {
  const box = model.boxes[index];
  if (!box?.canOpen) return;
  const { id } = box;
  const open = session.open.value ?? [];
  batch(() => {
    session.at.value = id;
    const without = open.filter((each) => each !== id);
    session.open.value = box.isOpen ? without : [...without, id];
  });
}

/** Selects a box: its instruction is the page's one selection. */
export function select(app: App, session: GraphSession, model: GraphModel, index: number): void {
  const box = model.boxes[index];
  if (!box) return;
  batch(() => {
    session.at.value = box.id;
    if (box.kind === "instruction") selectBox(app, box);
  });
}

function selectBox(app: App, { computation, name, range }: InstructionBox): void {
  // Set at once, so that the cursor's later report of the same place changes nothing.
  selectInstruction(app, { computation, name });
  if (range[1] > range[0]) app.editor?.goTo([range[0], range[0]], false);
}

/** Selects an instruction that may have no box yet, and opens what it is in. */
export function reveal(
  app: App,
  session: GraphSession,
  item: InstructionId & { range?: [number, number] },
): void {
  batch(() => {
    session.at.value = "";
    session.reveals.value = true;
    selectInstruction(app, { computation: item.computation, name: item.name });
    if (item.range && item.range[1] > item.range[0]) {
      app.editor?.goTo([item.range[0], item.range[0]], false);
    }
  });
}

/** What the page has selected; null for nothing. */
export function selected(app: App): InstructionId | null {
  const { computation, name } = app.state.focus.value;
  return name ? { computation, name } : null;
}

/** Only what is near the selected instruction; again: everything. */
export function neighborhood(app: App, steps = STEPS): void {
  const { radius, at } = graphSession(app);
  batch(() => {
    at.value = "";
    radius.value = steps;
  });
}

export function wholeProgram(app: App): void {
  const { radius, root } = graphSession(app);
  batch(() => {
    radius.value = -1;
    root.value = "";
  });
}

/** The selected instruction is an end of a path. */
export function pathEnd(app: App, end: "from" | "to"): void {
  const { path } = graphSession(app);
  const id = selected(app);
  if (id) path.value = { ...path.value, [end]: id };
}

export function clearPath(app: App): void {
  graphSession(app).path.value = NO_PATH;
}

/** The instructions that have a box of their own, all of one computation. */
export function drawnNames(model: GraphModel): { computation: string; names: string[] } {
  const home = model.boxes[model.focus?.box ?? 0]?.computation ?? model.computation;
  const names = model.boxes.flatMap((box) =>
    box.kind === "instruction" && box.computation === home ? box.name : [],
  );
  return { computation: home, names };
}
