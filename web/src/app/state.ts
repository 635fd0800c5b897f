/**
 * Everything the page knows, as signals. Views are functions of it; only actions write it: what is
 * handed out can be read, and `writable` gives the rest of this folder the other form.
 */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type {
  CheckResult,
  ComputationInfo,
  NotationInfo,
  OpInfo,
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

export type RunPhase = "idle" | "running" | "done" | "failed" | "cancelled";

/** The last run of which there are values, and what was run. */
export interface Results {
  run: RunResult;
  text: string;
  inputs: InputSpec[];
  settings: RunSettings;
}

/** Which value is looked at: an entry of the trace, the output, an input; and a path into tuples. */
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
 * What is looked at: one place of one program. The editor, the outline, values, layouts and memory
 * are functions of it, and move it.
 */
export interface Focus extends InstructionId {
  /** Which execution of it: the iterations of the loops around it, outermost first; null: the last. */
  iterations: number[] | null;
  /** The device that executes it. */
  device: number;
  /** The value of the last run that this is, or one beside the trace. */
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

/** What a program can be written in. */
export type DialectName = "hlo" | "stablehlo";

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
  file: { name: string; bytes: Uint8Array };
  /** Numbers of the parameters that it fits. */
  fits: readonly number[];
}

export type ThemeName = "system" | "light" | "dark";

export interface Notice {
  text: string;
  kind: "info" | "error";
  /** What can be done about it. */
  action?: { label: string; act(): void };
}

/** Where works are kept: for all pages, for this tab, for this page alone. */
export type StoreKind = "browser" | "tab" | "page";

/** Where the work is kept. */
export interface Keeping {
  store: StoreKind;
  /** The address holds the program too. */
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
export type OverlayName = "" | "palette" | "help" | "rename" | "examples" | "offer";

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
  /** The engine has been at the text for a while: `check` is about an earlier one. */
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
  settings: RunSettings;
  phase: RunPhase;
  results: Results | null;
  /** Diagnostics of the last run, good or not, and the text they speak of. */
  runFaults: { text: string; run: RunResult } | null;
  focus: Focus;
  /** Id of the view that is shown. */
  view: string;
  /** What stands in the layout view's box; null while it follows the cursor. */
  typedShape: string | null;
  /** The layout that the one in the box is compared with; null while there is no comparison. */
  comparedShape: string | null;
  /** The example on the screen, and its text as it came. */
  example: { id: string; text: string } | null;
  title: string;
  taste: Taste;
  offered: OfferedFile | null;
  theme: ThemeName;
  dark: boolean;
  /** The screen has room for one part of the page only. */
  narrow: boolean;
  panes: PaneShares;
  notice: Notice | null;
  keeping: Keeping;
  overlay: OverlayName;
  part: PartName;
}

/** What follows from what is written. */
interface Derived {
  /** The inputs as a key, where they determine the program's sizes; else "". */
  openInputs: string;
  stale: boolean;
  /** The value of the focus. */
  choice: ValueChoice | null;
  /** The value that is looked at, as the run described it. */
  chosen: { value: ValueInfo; entry: TraceEntry | null } | null;
  layoutShape: string;
  /** Layouts worth looking at: the first one where a program has none. */
  exampleShapes: string[];
  /** Where that comes from. */
  layoutSource: LayoutSource;
}

/**
 * A signal to read. Less than a `ReadonlySignal`, for where a `Signal` is asked for TypeScript takes
 * that too: a property that is read-only is one to it that can be written.
 */
export type Readable<T> = Pick<ReadonlySignal<T>, "value" | "peek" | "subscribe">;
type AllReadable<T> = { readonly [K in keyof T]: Readable<T[K]> };
type AllWritable<T> = { readonly [K in keyof T]: Signal<T[K]> };

/** The state as everybody sees it: it can be read, and changes by actions. */
export type AppState = AllReadable<Written & Derived>;
export type WritableState = AllWritable<Written> & AllReadable<Derived>;

/** The state as actions see it. Only the files beside this one may ask (`house.test.ts` looks). */
export function writable(state: AppState): WritableState {
  return state as WritableState;
}

/** Follows a path into a tuple; null when it leads nowhere. */
export function valueAt(value: ValueInfo | null, path: number[]): ValueInfo | null {
  let at = value;
  for (const step of path) at = at?.elements[step] ?? null;
  return at;
}

/** The described value of a choice, null when the run has none such. */
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
    // Entries are numbered in order; only when some were left out does one need a search.
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
  // The same object for as long as the value is the same one, whatever element is looked at.
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
  const notations = signal<NotationInfo[]>([]);
  const exampleShapes = computed(() => notations.value.flatMap(({ examples }) => examples));
  // While the engine is at a new text, and where that has no shape, the last one stays.
  let lastShape = "";
  const layout = computed((): { shape: string; source: LayoutSource } => {
    if (typedShape.value !== null) return { shape: typedShape.value, source: "typed" };
    const isKnown = checkedText.value === text.value && text.value !== "";
    const result = isKnown ? check.value?.result : "";
    const found = place.value?.shape || result || "";
    if (found) {
      lastShape = found;
      return { shape: found, source: place.value?.shape ? "cursor" : "result" };
    }
    if (!lastShape) return { shape: exampleShapes.value[0] ?? "", source: "example" };
    return { shape: lastShape, source: isKnown ? "earlier" : "cursor" };
  });
  const state: WritableState = {
    text,
    cursor: signal(0),
    check,
    checkedText,
    checking: signal(false),
    outline: signal([]),
    outlineText: signal(""),
    place,
    ops: signal([]),
    notations,
    version: signal(""),
    engineProblem: signal(""),
    inputs,
    openInputs: computed(() =>
      check.value?.wantsInputs ? JSON.stringify(inputs.value.map((input) => input.text)) : "",
    ),
    settings,
    phase,
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
    typedShape,
    exampleShapes,
    layoutShape: computed(() => layout.value.shape),
    layoutSource: computed(() => layout.value.source),
    comparedShape: signal(null),
    example: signal(null),
    title: signal(""),
    taste: signal(DEFAULT_TASTE),
    offered: signal(null),
    theme: signal("system"),
    dark: signal(false),
    narrow: signal(false),
    panes: signal(DEFAULT_PANES),
    notice: signal(null),
    keeping: signal({ store: "browser", address: true, problem: "" }),
    overlay: signal(""),
    part: signal("program"),
  };
  return state;
}
