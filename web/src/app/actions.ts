/** What commands, views and the start of the page do: they write the state by these. */
import { batch } from "@preact/signals";
import type { CheckResult, RunOptions, TextRange, TraceEntry } from "../../../wasm/engine_api";
import type { Example } from "../examples";
import { words } from "../strings";
import type { App, Subject } from "./app";
import {
  adoptCheck,
  endFaultsOf,
  forgetResults,
  leaveProgram,
  leaveViews,
  stopRun,
} from "./belonging";
import { gridOf, partsOf } from "./device_inputs";
import { isAbort } from "./engine_link";
import { checkForRun } from "./engines";
import { rememberProgram, takeLeft } from "./left_inputs";
import { runOptionsOf } from "./run_options";
import { type RunOutcome, runInParts } from "./run_parts";
import type { RunSettings } from "./settings";
import {
  type AppState,
  chosenValue,
  type FileTabs,
  type Focus,
  type InputSpec,
  type InstructionId,
  NO_FOCUS,
  type Notice,
  type OverlayName,
  type PaneShares,
  type PartName,
  type Results,
  type ValueChoice,
  type WritableState,
  writable,
} from "./state";

export function notify(
  app: App,
  text: string,
  kind: Notice["kind"] = "info",
  action?: Notice["action"],
): void {
  const s = writable(app.state);
  s.said.value = "";
  // What can be undone or mended is the text as it is now.
  const isOfText = action && (kind === "error" || action.label === words.app.undo);
  const of = isOfText ? { of: takeText(app) } : {};
  s.notice.value = { text, kind, ...(action ? { action } : {}), ...of };
}

/** Says why work failed, whose end nobody else waits for. */
export function tellFailure(app: App, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    notify(app, error instanceof Error ? error.message : String(error), "error");
  });
}

/** Tells what is seen: screen readers say it. */
export function say(app: App, text: string): void {
  writable(app.state).said.value = text;
}

export function dismissNotice(app: App): void {
  writable(app.state).notice.value = null;
}

export function openOverlay(app: App, overlay: Exclude<OverlayName, "">): void {
  writable(app.state).overlay.value = overlay;
}

/** Closes an overlay; one that was opened in its place stays. */
export function closeOverlay(app: App, overlay: OverlayName): void {
  const s = writable(app.state);
  if (s.overlay.peek() === overlay) s.overlay.value = "";
}

export function showPart(app: App, part: PartName): void {
  writable(app.state).part.value = part;
}

export function resizePanes(app: App, change: Partial<PaneShares>): void {
  const { panes } = writable(app.state);
  panes.value = { ...panes.peek(), ...change };
}

/** What the editor tells: where its cursor is, and the text where that has changed. */
export function reportText(app: App, cursor: number, text?: string): void {
  batch(() => {
    const s = writable(app.state);
    if (text !== undefined) s.text.value = text;
    s.cursor.value = cursor;
  });
}

/** Asks the engine for its table of operations. */
export async function loadOps(app: App): Promise<void> {
  writable(app.state).ops.value = await app.engines.typing.call("ops", []).catch(() => []);
}

/** Asks the engine what it is, and how layouts are written, once nothing that the start shows waits for it. */
export async function loadFacts(app: App): Promise<void> {
  const s = writable(app.state);
  if (s.phase.peek() === "running") {
    const stop = s.phase.subscribe((phase) => {
      if (phase === "running") return;
      setTimeout(() => stop());
      void loadFacts(app);
    });
    return;
  }
  const { typing } = app.engines;
  try {
    s.version.value = await typing.call("version", []);
    s.notations.value = await typing.call("layoutNotations", []);
  } catch (error) {
    s.engineProblem.value = error instanceof Error ? error.message : String(error);
  }
}

/**
 * The text as it is now, whatever the state has heard of it. The editor tells it together with its
 * cursor: the place of an earlier cursor in a new text is no instruction that anybody has chosen.
 */
export function takeText(app: App): string {
  app.editor?.report();
  const text = app.editor?.text() ?? app.state.text.value;
  writable(app.state).text.value = text;
  return text;
}

/** A program with all that belongs to it. */
export interface ProgramToLoad {
  text: string;
  inputs?: readonly InputSpec[];
  settings?: RunSettings;
  /** The example that it is. */
  example?: string;
  cursor?: number;
  /** The files that it is one of. */
  fileTabs?: FileTabs | null;
  /** What the editor can undo; without it, going to this program can be undone. */
  history?: unknown;
}

/** Specifications as the page has them: nobody chose a file yet. */
export function withoutFiles(inputs: readonly string[]): InputSpec[] {
  return inputs.map((text) => ({ text, file: null }));
}

/** Shows another program: everything that belongs to the old one goes. */
export function loadProgram(app: App, program: ProgramToLoad): void {
  const s = writable(app.state);
  const at = Math.max(0, Math.min(program.cursor ?? 0, program.text.length));
  stopRun(app);
  rememberProgram(app);
  takeLeft(app, program.text);
  batch(() => {
    forgetResults(s);
    leaveViews(app);
    s.inputs.value = [...(program.inputs ?? [])];
    s.inputsOf.value = null;
    s.programText.value = program.text;
    if (program.settings) s.settings.value = program.settings;
    s.example.value = program.example ? { id: program.example, text: program.text } : null;
    s.typedShape.value = null;
    s.comparedShape.value = null;
    s.place.value = null;
    s.placedText.value = "";
    s.focus.value = NO_FOCUS;
    s.outline.value = [];
    s.outlineText.value = "";
    s.text.value = program.text;
    s.cursor.value = at;
    s.title.value = "";
    s.fileTabs.value = program.fileTabs ?? null;
  });
  if (program.history === undefined) app.editor?.setText(program.text);
  else app.editor?.showOther(program.text, program.history);
  app.editor?.goTo([at, at], false);
  app.editor?.report();
}

/** Moves an editor that comes after its program to where the cursor is. */
export function placeCursor(app: App): void {
  const at = app.state.cursor.peek();
  if (at > 0) app.editor?.goTo([at, at], false);
}

/** Shows an example whose text has come, and runs it. */
export function showExample(app: App, example: Example, text: string): void {
  const at = example.cursor ? text.indexOf(example.cursor) : -1;
  loadProgram(app, {
    text,
    example: example.id,
    cursor: Math.max(0, at),
    ...(example.inputs ? { inputs: withoutFiles(example.inputs) } : {}),
  });
  if (example.view) openView(app, example.view);
  if (example.runs !== false) void run(app, true);
}

export function setInput(app: App, parameter: number, input: InputSpec): void {
  // It is for the program that is there, whatever the engine has heard of it.
  leaveProgram(app, takeText(app));
  const inputs = [...app.state.inputs.value];
  while (inputs.length <= parameter) inputs.push({ text: "", file: null });
  inputs[parameter] = input;
  const s = writable(app.state);
  batch(() => {
    s.inputs.value = inputs;
    endFaultsOf(s, parameter);
  });
}

/** Says whether what was typed for a parameter is understood. */
export function judgeInput(app: App, parameter: number, isFaulty: boolean): void {
  const { faultyInputs } = writable(app.state);
  const others = faultyInputs.peek().filter((other) => other !== parameter);
  if (isFaulty) faultyInputs.value = [...others, parameter].sort((a, b) => a - b);
  else if (others.length < faultyInputs.peek().length) faultyInputs.value = others;
}

export function changeSettings(app: App, change: Partial<RunSettings>): void {
  const { settings, settingsBefore } = writable(app.state);
  const kept = Object.entries(settingsBefore.peek()).filter(([key]) => !(key in change));
  batch(() => {
    settingsBefore.value = Object.fromEntries(kept);
    settings.value = { ...settings.value, ...change };
  });
}

/** Opens a view that nobody has asked for by name: the next run may open another. */
export function openView(app: App, id: string): void {
  const s = writable(app.state);
  batch(() => {
    s.view.value = id;
    s.chosenView.value = "";
    s.part.value = "views";
    if (id === viewFor(app, "run")) s.unseen.value = null;
  });
}

/** Opens the view that a person asks for: it stays open when the program runs. */
export function showView(app: App, id: string): void {
  batch(() => {
    openView(app, id);
    writable(app.state).chosenView.value = id;
  });
}

/** The view that is made for something; null where there is none. */
export function viewFor(app: App, subject: Subject): string | null {
  return app.views.find(({ opensFor }) => opensFor?.includes(subject))?.id ?? null;
}

/** `show`: `openView` where the program does so by itself. */
export function showViewFor(app: App, subject: Subject, show = showView): void {
  const view = app.views.find(({ opensFor }) => opensFor?.includes(subject));
  view?.shownFor?.(app, subject);
  if (view) show(app, view.id);
}

function isSame(a: InstructionId, b: InstructionId): boolean {
  const somewhere = a.computation === "" || b.computation === "";
  return a.name === b.name && (somewhere || a.computation === b.computation);
}

/** The instruction of an entry of the trace, or of a place in the text. */
export function idOf({ computation, name }: InstructionId): InstructionId {
  return { computation, name };
}

/** Whether the focus is on an instruction. */
export function isInFocus(s: AppState, id: InstructionId): boolean {
  const focus = s.focus.value;
  return focus.name !== "" && isSame(focus, id);
}

/**
 * The entry of a trace that the focus means: of its device, and of its execution where there is one
 * like it, else the last.
 */
function entryOf(results: Results | null, focus: Focus): TraceEntry | null {
  const wanted = focus.iterations?.join();
  let last: TraceEntry | null = null;
  const trace = results?.run.trace ?? [];
  for (let i = trace.length - 1; i >= 0; i--) {
    const entry = trace[i];
    if (!entry || (entry.device ?? 0) !== focus.device || !isSame(idOf(entry), focus)) continue;
    if (wanted === undefined || entry.iterations.join() === wanted) return entry;
    last ??= entry;
  }
  return last;
}

/** The last execution of an instruction in the last run. */
export function lastEntryOf(app: App, id: InstructionId): TraceEntry | null {
  const { results } = app.state;
  return entryOf(results.peek(), { ...NO_FOCUS, ...id });
}

/** Changes parts of the focus. */
export function moveFocus(app: App, change: Partial<Focus>): void {
  const { focus } = writable(app.state);
  focus.value = { ...focus.value, ...change };
}

/** Moves the focus to what a link says, as far as the last run has it. */
export function focusOn(app: App, focus: Focus): void {
  const s = writable(app.state);
  s.focus.value = focus;
  if (s.results.value) keepFocus(s, s.results.value);
}

/** Moves the focus to an instruction; its last value is the one looked at. */
export function selectInstruction(app: App, id: InstructionId): void {
  const s = writable(app.state);
  const focus = s.focus.value;
  if (focus.name === id.name && focus.computation === id.computation) return;
  // A link that names no computation has meant this one.
  if (isInFocus(s, id)) {
    moveFocus(app, id);
    return;
  }
  // The element of a layout that was typed is not the instruction's.
  const index = s.typedShape.value === null ? null : focus.index;
  const entry = entryOf(s.results.value, { ...focus, ...id, iterations: null });
  const value = entry ? { source: entry.id, path: [] } : {};
  moveFocus(app, { ...id, iterations: null, index, ...value });
}

export function chooseValue(app: App, choice: ValueChoice, entry: TraceEntry | null): void {
  const s = writable(app.state);
  const id = entry ? idOf(entry) : { computation: "", name: "" };
  const same = s.focus.value.name === id.name && isSame(s.focus.value, id);
  batch(() => {
    moveFocus(app, {
      ...id,
      iterations: entry?.iterations ?? null,
      device: entry?.device ?? 0,
      source: choice.entry,
      path: choice.path,
      ...(same ? {} : { index: null }),
    });
    if (entry) s.typedShape.value = null;
  });
  if (entry) app.editor?.goTo([entry.range[0], entry.range[0]], false);
}

/** Looks at an element of the tuple that is looked at, by its path from the whole value. */
export function followPath(app: App, path: number[]): void {
  moveFocus(app, { path });
}

export function selectElement(app: App, index: number[] | null): void {
  moveFocus(app, { index });
}

export function typeShape(app: App, shape: string | null): void {
  batch(() => {
    writable(app.state).typedShape.value = shape;
    selectElement(app, null);
  });
}

/** Looks at a shape, wherever one is. */
export function showShape(app: App, shape: string, show = showView): void {
  typeShape(app, shape);
  showViewFor(app, "layout", show);
}

/** Compares the layout on the screen with another; null ends the comparison. */
export function compareWith(app: App, shape: string | null): void {
  batch(() => {
    const s = writable(app.state);
    // What is compared stays, wherever the cursor goes.
    if (shape !== null && s.typedShape.value === null) s.typedShape.value = s.layoutShape.value;
    s.comparedShape.value = shape;
  });
}

export function goTo(app: App, range: TextRange): void {
  showPart(app, "program");
  app.editor?.goTo(range, true);
}

/** After a run: what is looked at stays the same where the new run has it, else the output. */
function keepFocus(s: WritableState, results: Results): void {
  const focus = s.focus.value;
  const entry = focus.name ? entryOf(results, focus) : null;
  const { output, trace } = results.run;
  // A value beside the trace that the new run has too.
  const beside = typeof focus.source === "string" && !focus.name ? focus.source : null;
  const isThere = beside !== null && chosenValue(results.run, { entry: beside, path: [] }) !== null;
  const other = isThere ? beside : output ? "output" : (trace.at(-1)?.id ?? "output");
  const source = entry?.id ?? other;
  const path = source === focus.source || entry ? focus.path : [];
  const fits = chosenValue(results.run, { entry: source, path }) !== null;
  s.focus.value = { ...focus, source, path: fits ? path : [] };
}

/**
 * Runs the program. `fits`: its inputs are known to be those of its parameters, so that it runs while
 * it is checked; otherwise the check comes first, since it says which inputs there are, and for how many devices.
 */
export async function run(app: App, fits = false): Promise<void> {
  const s = writable(app.state);
  if (s.phase.value === "running") cancelRun(app);
  const text = takeText(app);
  leaveProgram(app, text);
  const settings = s.settings.value;
  const turn = ++app.runTurn;
  app.heldRun = null;
  const superseded = (): boolean => turn !== app.runTurn || s.phase.value !== "running";
  app.runText = text;
  batch(() => {
    s.phase.value = "running";
    s.runPart.value = settings.runCompiled ? "compiled" : "recording";
    s.startedAt.value = performance.now();
    s.runFaults.value = null;
  });
  let isOut = false;
  try {
    const isForAll = s.inputs.value.every((input) => partsOf(input.text).own.length === 0);
    const isNeeded = !fits || !isForAll;
    const checked = checkForRun(app.engines, text, s.inputs.value, isNeeded).then((check) => {
      const isOfUse = !superseded() || s.text.peek() === text;
      if (check && isOfUse) batch(() => adoptCheck(app, text, check));
      return check;
    });
    const check = isNeeded ? await checked : null;
    if (superseded()) return;
    const inputs = s.inputs.value;
    const { focus } = s;
    let wanted = focus.value;
    let shown = wanted;
    const show = ({ result, compiled, ...outcome }: RunOutcome): void => {
      if (superseded()) return;
      batch(() => {
        if (result) {
          s.results.value = { run: result, compiled, text, inputs, settings };
          // The first part may lack what was looked at: the next one shows it again, unless somebody
          // has looked elsewhere since.
          if (focus.value === shown) focus.value = wanted;
          else wanted = focus.value;
          keepFocus(s, s.results.value);
          shown = focus.value;
        }
        s.runFaults.value = outcome.faults && { text, ...outcome.faults };
        s.runPart.value = outcome.part;
        s.phase.value = outcome.phase;
      });
    };
    const options = runOptions(app, check, settings);
    const hold = (outcome: RunOutcome | null): void => {
      if (!superseded()) app.heldRun = outcome && (() => show(outcome));
    };
    isOut = true;
    const ran = runInParts(app.engines, text, options, settings, { show, hold }).finally(() => {
      isOut = false;
    });
    await Promise.all([ran, checked]);
  } catch (error) {
    if (superseded()) return;
    // Of a check that failed the run would go on for nobody.
    if (isOut) app.engines.cancelRun();
    s.phase.value = "failed";
    const why = error instanceof Error ? error.message : String(error);
    notify(app, words.run.crashed(isAbort(error) ? words.app.tooSlow : why), "error");
  }
}

/** What a run of the program gets, with the page's inputs and settings. Without a check all inputs are its own. */
export function runOptions(
  app: App,
  check: CheckResult | null,
  settings = app.state.settings.peek(),
): RunOptions {
  const given = app.state.inputs.peek().slice(0, check?.parameters.length);
  return runOptionsOf(given, gridOf(check, settings), settings);
}

/**
 * The editor and the last good results stay; those of an earlier run are marked stale. What the
 * compiled run has given is no earlier run's.
 */
export function cancelRun(app: App): void {
  const s = writable(app.state);
  if (s.phase.value !== "running") return;
  if (app.heldRun) app.heldRun();
  else s.phase.value = "cancelled";
  app.heldRun = null;
  app.engines.cancelRun();
}
