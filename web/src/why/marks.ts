/** The path of an answer, marked in the editor, in the grid of a value and in the graph. */
import { effect } from "@preact/signals";
import type { WhyBox, WhyResult, WhyStep } from "../../../wasm/engine_api";
import { type App, perPage } from "../app/app";
import type { Results } from "../app/state";
import { type MarkedElements, type WhyMarks, whySession } from "./session";

/** `2` alone, or from here on. */
const boxAt = (index: readonly number[]): WhyBox => index.map((at) => [at, 1, 1]);

function keyOf(at: Pick<WhyStep, "computation" | "name">): string {
  return `${at.computation}/${at.name}`;
}

type Place = Pick<WhyStep, "computation" | "name" | "device" | "iterations"> & { path: number[] };

function elementsAt(at: Place, boxes: readonly WhyBox[]): MarkedElements {
  const { computation, name, device, iterations, path } = at;
  return { computation, name, device, iterations: iterations.join(), path: path.join(), boxes };
}

/** What of an answer is marked; null where there is none. */
export function marksOf(answer: WhyResult, results: Results, title: string): WhyMarks | null {
  const { rows, reach } = answer;
  const steps: readonly WhyStep[] = reach ? reach.rows : rows;
  if (steps.length === 0) return null;
  const elements = reach
    ? reach.rows.flatMap((row) =>
        row.parts.map(({ path, boxes }) => elementsAt({ ...row, path }, boxes)),
      )
    : rows.flatMap((row) => [
        elementsAt(row, [boxAt(row.index)]),
        ...row.sources
          .filter(({ role }) => role === "value")
          .map((source) => elementsAt(source, [source.box])),
      ]);
  return {
    results,
    title,
    lines: [...new Set(steps.map(({ line }) => line - 1))].sort((a, b) => a - b),
    elements,
    instructions: new Set(steps.map(keyOf)),
  };
}

/** Lines are marked as long as the program is as it was, beside views that say what that means. */
const watchLines = perPage((app) => {
  let shown: readonly number[] = [];
  return effect(() => {
    const marks = whySession(app).marks.value;
    const { view, text } = app.state;
    const isThere = app.views.find(({ id }) => id === view.value)?.explainsMarks;
    const lines = isThere && marks?.results.text === text.value ? marks.lines : [];
    if (lines === shown || lines.length + shown.length === 0) return;
    shown = lines;
    // A view that is left clears its own marks first.
    setTimeout(() => app.editor?.mark(lines, true));
  });
});

/** Marks a path instead of the last one; null: none. The text stays where it is: who steps through the path moves it. */
export function mark(app: App, marks: WhyMarks | null): void {
  whySession(app).marks.value = marks;
  watchLines(app);
}

/** The path that is marked, as long as it is about the results on the screen. */
export function currentMarks(app: App): WhyMarks | null {
  const marks = whySession(app).marks.value;
  return marks && marks.results === app.state.results.value ? marks : null;
}

/** Whether an instruction is on the path. */
export function isMarked(marks: WhyMarks | null, computation: string, name: string): boolean {
  return marks?.instructions.has(keyOf({ computation, name })) ?? false;
}

/** What is marked of the value that the page shows. */
export function markedBoxes(app: App): readonly WhyBox[] {
  const marks = currentMarks(app);
  const chosen = app.state.chosen.value;
  const choice = app.state.choice.value;
  if (!marks || !chosen || !choice) return [];
  const path = choice.path.join();
  const { entry } = chosen;
  if (entry) {
    const iterations = entry.iterations.join();
    return marks.elements.flatMap((at) =>
      at.name === entry.name &&
      at.computation === entry.computation &&
      at.device === (entry.device ?? 0) &&
      at.iterations === iterations &&
      at.path === path
        ? at.boxes
        : [],
    );
  }
  const [value = "", device = "0"] = String(choice.entry).split("@");
  const name = nameBeside(app, marks.results, value);
  return marks.elements.flatMap((at) =>
    at.name === name?.name &&
    at.computation === name.computation &&
    at.device === Number(device) &&
    at.path === path
      ? at.boxes
      : [],
  );
}

/** The instruction whose value one beside the trace is: the root of the entry, or a parameter. */
function nameBeside(
  app: App,
  { run }: Results,
  value: string,
): Pick<WhyStep, "computation" | "name"> | null {
  const outer = run.trace.filter(({ depth }) => depth === 0);
  if (value === "output") return outer.at(-1) ?? null;
  const input = value.startsWith("input:") ? Number(value.slice(6)) : -1;
  const name = app.state.check.peek()?.parameters[input]?.name;
  return outer.find((entry) => entry.name === name) ?? null;
}

export function contains(box: WhyBox, index: readonly number[]): boolean {
  return box.every(([first, count, step], d) => {
    const from = (index[d] ?? 0) - first;
    return from >= 0 && from % step === 0 && from / step < count;
  });
}
