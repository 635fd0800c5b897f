/**
 * The state of the page, as signals. Views are functions of it; only actions write it: the exported
 * state is read-only; `writable` gives the rest of this folder write access.
 */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type {
  CheckResult,
  ComputationInfo,
  NotationInfo,
  OpInfo,
  ParameterInfo,
  PlaceInfo,
  RunResult,
  TraceEntry,
  ValueInfo,
} from "../../../wasm/engine_api";
import { DEFAULT_SETTINGS, type RunSettings } from "./settings";

export interface InputSpec {
  text: string;
  file: { name: string; bytes: Uint8Array } | null;
}

/** A file of a dump: what it is called, and its bytes once somebody wants them. */
export interface DumpEntry {
  /** Its path in the folder or archive. */
  name: string;
  /** Bytes, before they are unpacked, where that is known. */
  size?: number;
  read(): Promise<Uint8Array>;
}

/** A text above the editor. What belongs to the one that is shown is in the state itself. */
export interface FileTab {
  name: string;
  title: string;
  /** Null until it is shown for the first time. */
  text: string | null;
  cursor: number;
  inputs: readonly InputSpec[];
  /** What the editor can undo; null where nothing was changed. */
  history: unknown;
}

/** Several texts of one dump. */
export interface FileTabs {
  tabs: readonly FileTab[];
  /** Index of the one in the editor. */
  selected: number;
  /** All files of the dump, in their order; of an earlier visit those that were kept. */
  files: readonly DumpEntry[];
  /** How many of an earlier visit were not kept. */
  missing?: number;
}

/**
 * What has a fault: the run; its recording alone, whose result is there; or the engine, for the
 * compiled run and the recorded one differ.
 */
export type FaultCause = "run" | "recording" | "difference";

export type RunPhase = "idle" | "running" | "done" | "failed" | "cancelled";

/** What a run is at: the compiled program, or, after that, recording the values. */
export type RunPart = "compiled" | "recording";

/** The last run that has values, and what was run. */
export interface Results {
  run: RunResult;
  /** The compiled run; null where there was none. It is `run` where no values were recorded. */
  compiled: RunResult | null;
  text: string;
  inputs: InputSpec[];
  settings: RunSettings;
}

/** A value of a run: a trace entry, the output or an input; and a path into tuples. */
export interface ValueChoice {
  entry: number | "output" | `output@${number}` | `input:${number}` | `host:${number}`;
  path: number[];
}

/** An instruction as the engine identifies it: names are unique within a computation only. */
export interface InstructionId {
  /** Empty: whichever computation has one of this name, the entry first. */
  computation: string;
  name: string;
}

/**
 * The focus: one place of one program that is selected. The editor, the outline, values, layouts
 * and memory all show it, and can move it.
 */
export interface Focus extends InstructionId {
  /**
   * Which execution of it: the iterations of the enclosing loops, outermost first; null: the last.
   */
  iterations: number[] | null;
  /** The device that executes it. */
  device: number;
  /** The selected value of the last run, in or outside the trace. */
  source: ValueChoice["entry"] | null;
  /** Into the tuples of that value. */
  path: number[];
  /** The element of the array. */
  index: number[] | null;
}
export const NO_FOCUS: Focus = {
  computation: "",
  name: "",
  iterations: null,
  device: 0,
  source: null,
  path: [],
  index: null,
};

/** The languages a program can be written in. */
export type DialectName = "hlo" | "stablehlo";
/** Whether a text of this kind (CheckResult) is a program, with errors or without. */
export const isProgramKind = (kind: string | undefined): boolean =>
  kind === "hlo" || kind === "mlir";

/** How a person likes the program to be shown. */
export interface Taste {
  /** Long lines go on in the next one. */
  wrap: boolean;
  /** Programs are shown from their entry on. */
  entryFirst: boolean;
  /** What is folded as soon as a program comes. */
  folded: readonly string[];
  /** The sentence that says what this page is was read. */
  welcomed: boolean;
}
export const DEFAULT_TASTE: Taste = {
  wrap: false,
  entryFirst: false,
  folded: [],
  welcomed: false,
};

/** A file that is the value of one of several parameters: the person says of which. */
export interface OfferedFile {
  name: string;
  /** Numbers of the parameters that it fits. */
  fits: readonly number[];
  /** Makes it the value of one of them. */
  give(parameter: number): void;
}

export type ThemeName = "system" | "light" | "dark";

export interface Notice {
  text: string;
  kind: "info" | "error";
  /** An action to resolve it. */
  action?: { label: string; act(): void };
  /** The text that its action is about: the notice ends with it. */
  of?: string;
}

/** Where works are saved: for all pages, for this tab, for this page only. */
export type StoreKind = "browser" | "tab" | "page";

/** Where the work is kept. */
export interface Keeping {
  store: StoreKind;
  /** The address also contains the program. */
  address: boolean;
  /** Why the last save failed; "" when it did not. */
  problem: string;
}

/** How the page is divided, as shares of 0 to 1. */
export interface PaneShares {
  /** Width of the program and its inputs. */
  columns: number;
  /** Height of the program above its inputs. */
  rows: number;
}
export const DEFAULT_PANES: PaneShares = { columns: 0.46, rows: 0.78 };

/** What may lie over the page; "" for nothing. */
export type OverlayName = "" | "palette" | "help" | "rename" | "examples" | "problems" | "offer";

/** On narrow screens one part of the page is shown at a time. */
export type PartName = "program" | "inputs" | "views";

/** What actions write. */
interface Written {
  /** The program, as of the last pause in typing. */
  text: string;
  /** UTF-16 offset of the editor's cursor. */
  cursor: number;
  check: CheckResult | null;
  /** The text that `check` is about. */
  checkedText: string;
  /** The text that `place` is in. */
  placedText: string;
  /** The engine is taking long over the text: `check` is about an earlier one. */
  checking: boolean;
  outline: ComputationInfo[];
  /** The text that `outline` is of. */
  outlineText: string;
  place: PlaceInfo | null;
  ops: OpInfo[];
  notations: NotationInfo[];
  version: string;
  engineProblem: string;
  inputs: InputSpec[];
  /** The parameters whose inputs, as they were typed, are not understood. */
  faultyInputs: readonly number[];
  /** The parameters that the inputs are for; null where the program has not been read yet. */
  inputsOf: readonly ParameterInfo[] | null;
  /** The text, as last read, of the program that inputs and results belong to. */
  programText: string;
  settings: RunSettings;
  /** Settings as they were before they were changed for this program alone. */
  settingsBefore: Partial<RunSettings>;
  phase: RunPhase;
  /** What the run is at while the phase is "running". */
  runPart: RunPart;
  /** When the last run began, by `performance.now()`. */
  startedAt: number;
  results: Results | null;
  /** Diagnostics of the last run, successful or not, and the text they refer to. */
  runFaults: { text: string; run: RunResult; cause: FaultCause } | null;
  focus: Focus;
  /** Id of the view that is shown. */
  view: string;
  /** Id of the view that a person has opened last; "" once the program has opened another. */
  chosenView: string;
  /** Results that have come while a chosen view stayed open, until their own view is opened. */
  unseen: Results | null;
  /** The text in the layout view's box; null while it follows the cursor. */
  typedShape: string | null;
  /** The layout that the one in the box is compared with; null while there is no comparison. */
  comparedShape: string | null;
  /** The example on the screen, and its text as it came. */
  example: { id: string; text: string } | null;
  title: string;
  /** The files of which the program is one; null where there are no others. */
  fileTabs: FileTabs | null;
  taste: Taste;
  offered: OfferedFile | null;
  theme: ThemeName;
  dark: boolean;
  /** The screen has room for one part of the page only. */
  narrow: boolean;
  panes: PaneShares;
  notice: Notice | null;
  /** What is only told: to who does not see what has changed. */
  said: string;
  keeping: Keeping;
  overlay: OverlayName;
  part: PartName;
}

/** Signals derived from the text. */
interface Derived {
  /** A key of the inputs if they determine the program's sizes; else "". */
  openInputs: string;
  stale: boolean;
  /** The value of the focus. */
  choice: ValueChoice | null;
  /** The value of the focus, as the run described it. */
  chosen: { value: ValueInfo; entry: TraceEntry | null } | null;
  layoutShape: string;
  /** Layouts worth looking at: the first one where a program has none. */
  exampleShapes: string[];
  /** Where that comes from. */
  layoutSource: LayoutSource;
}

/**
 * A read-only signal. It has fewer members than `ReadonlySignal`, which TypeScript would accept
 * where a writable `Signal` is required: read-only properties are assignable to writable ones.
 */
export type Readable<T> = Pick<ReadonlySignal<T>, "value" | "peek" | "subscribe">;
type AllReadable<T> = { readonly [K in keyof T]: Readable<T[K]> };
type AllWritable<T> = { readonly [K in keyof T]: Signal<T[K]> };

/** The state as the rest of the page sees it: read-only, changed by actions. */
export type AppState = AllReadable<Written & Derived>;
export type WritableState = AllWritable<Written> & AllReadable<Derived>;

/**
 * The state as actions see it. Only files in this folder may call this (checked by
 * `house.test.ts`).
 */
export function writable(state: AppState): WritableState {
  return state as WritableState;
}

/** Follows a path into a tuple; null when it leads nowhere. */
export function valueAt(value: ValueInfo | null, path: number[]): ValueInfo | null {
  let at = value;
  for (const step of path) at = at?.elements[step] ?? null;
  return at;
}

/** The described value of a choice; null if the run has none. */
export function chosenValue(run: RunResult, choice: ValueChoice) {
  let whole: ValueInfo | null = null;
  let entry: TraceEntry | null = null;
  if (choice.entry === "output") whole = run.output;
  else if (typeof choice.entry === "string") {
    const number = Number(choice.entry.replace(/^\w+[:@]/, ""));
    if (choice.entry.startsWith("output@")) whole = run.devices?.[number]?.output ?? null;
    else if (choice.entry.startsWith("host:")) whole = run.hostOutputs?.[number]?.value ?? null;
    else whole = run.inputs[number] ?? null;
  } else {
    // Entries are numbered in order; a search is only needed if some were left out.
    const at = run.trace[choice.entry];
    entry = at?.id === choice.entry ? at : (run.trace.find((t) => t.id === choice.entry) ?? null);
    whole = entry?.value ?? null;
  }
  const value = valueAt(whole, choice.path);
  return value ? { value, entry } : null;
}

/** What the layout view shows: what is typed into its box, the shape under the cursor, ... */
export type LayoutSource = "typed" | "cursor" | "result" | "earlier" | "example";

/** `view`: the one that the page opens with. */
export function createState(view = ""): AppState {
  const text = signal("");
  const inputs = signal<InputSpec[]>([]);
  const settings = signal<RunSettings>(DEFAULT_SETTINGS);
  const results = signal<Results | null>(null);
  const phase = signal<RunPhase>("idle");
  const focus = signal(NO_FOCUS);
  // Keeps the object's identity while the value is the same, whichever element is selected.
  let lastChoice: ValueChoice | null = null;
  const choice = computed(() => {
    const { source, path } = focus.value;
    if (source === null) lastChoice = null;
    else if (lastChoice?.entry !== source || lastChoice.path !== path)
      lastChoice = { entry: source, path };
    return lastChoice;
  });
  const place = signal<PlaceInfo | null>(null);
  const typedShape = signal<string | null>(null);
  const check = signal<CheckResult | null>(null);
  const checkedText = signal("");
  const placedText = signal("");
  const notations = signal<NotationInfo[]>([]);
  const exampleShapes = computed(() => notations.value.flatMap(({ examples }) => examples));
  // While the engine is at a new text, and where that has no shape, the last one stays. The result's shape
  // is for a cursor that is known to be at none: it would be gone again as soon as the place is known.
  let lastShape = "";
  const layout = computed((): { shape: string; source: LayoutSource } => {
    if (typedShape.value !== null) return { shape: typedShape.value, source: "typed" };
    const isEmptied = check.value?.kind === "empty" && checkedText.value === text.value;
    if (isEmptied) {
      lastShape = "";
      return { shape: "", source: "cursor" };
    }
    const isKnown = checkedText.value === text.value && text.value !== "";
    const result = isKnown && placedText.value === text.value ? check.value?.result : "";
    // Of an instruction that is not understood yet the engine says an empty tuple, which has nothing to show.
    const [atCursor, atEnd] = [place.value?.shape, result].map((shape) =>
      shape === "()" ? "" : shape,
    );
    const found = atCursor || atEnd;
    if (found) {
      lastShape = found;
      return { shape: found, source: atCursor ? "cursor" : "result" };
    }
    if (!lastShape) return { shape: exampleShapes.value[0] ?? "", source: "example" };
    return { shape: lastShape, source: isKnown ? "earlier" : "cursor" };
  });
  const state: WritableState = {
    text,
    cursor: signal(0),
    check,
    checkedText,
    placedText,
    checking: signal(false),
    outline: signal([]),
    outlineText: signal(""),
    place,
    ops: signal([]),
    notations,
    version: signal(""),
    engineProblem: signal(""),
    inputs,
    faultyInputs: signal([]),
    inputsOf: signal(null),
    programText: signal(""),
    openInputs: computed(() =>
      check.value?.wantsInputs ? JSON.stringify(inputs.value.map((input) => input.text)) : "",
    ),
    settings,
    settingsBefore: signal({}),
    phase,
    runPart: signal("compiled"),
    startedAt: signal(0),
    results,
    runFaults: signal(null),
    stale: computed(() => {
      const last = results.value;
      if (!last) return false;
      return (
        phase.value === "cancelled" ||
        last.text !== text.value ||
        last.settings !== settings.value ||
        last.inputs !== inputs.value
      );
    }),
    choice,
    chosen: computed(() => {
      const last = results.value;
      return last && choice.value ? chosenValue(last.run, choice.value) : null;
    }),
    focus,
    view: signal(view),
    chosenView: signal(""),
    unseen: signal(null),
    typedShape,
    exampleShapes,
    layoutShape: computed(() => layout.value.shape),
    layoutSource: computed(() => layout.value.source),
    comparedShape: signal(null),
    example: signal(null),
    title: signal(""),
    fileTabs: signal(null),
    taste: signal(DEFAULT_TASTE),
    offered: signal(null),
    theme: signal("system"),
    dark: signal(false),
    narrow: signal(false),
    panes: signal(DEFAULT_PANES),
    notice: signal(null),
    said: signal(""),
    keeping: signal({ store: "browser", address: true, problem: "" }),
    overlay: signal(""),
    part: signal("program"),
  };
  return state;
}
