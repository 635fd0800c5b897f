/** The parts of a running page, handed to every view and command. */
import type { JSX } from "preact";
import type { Diagnostic, TextRange } from "../../../wasm/engine_api";
import type { DebugGestures, DebugMarks } from "../editor/debugging";
import type { Engines } from "./engines";
import { type AppState, createState, type FileTabs, type Results } from "./state";
import type { Taken, Work } from "./work";

/** What the engine proposes against a fault. */
export type Fix = Diagnostic["fixes"][number];

/** What the rest of the page may ask of the editor. */
export interface EditorHandle {
  text(): string;
  /** What is selected; empty at the cursor. */
  selection(): TextRange;
  /** Tells the state what is written, without waiting for a pause. */
  report(): void;
  /** Replaces the whole text in one undoable step. */
  setText(text: string): void;
  /** What can be undone and redone, for `showOther`. */
  history(): unknown;
  /** Replaces the whole text and what can be undone; null: nothing. */
  showOther(text: string, history: unknown): void;
  focus(): void;
  /** Moves the cursor to a range and scrolls to it. */
  goTo(range: TextRange, focus: boolean): void;
  /** Replaces several ranges at once. */
  replace(ranges: Uint32Array, text: string): void;
  nextFault(backwards: boolean): void;
  /** Applies a fix, or the engine's first one at or after the cursor; returns its description, or null. */
  fix(chosen?: Fix): string | null;
  find(): void;
  unfoldAll(): void;
  /** Folds every computation but the entry. */
  foldOthers(): void;
  /** Moves to the entry computation. */
  goToEntry(): void;
  undo(): void;
  /** Comments lines out, or in again. */
  toggleComment(): void;
  /**
   * Highlights lines (from 0, sorted) that correspond to a line pointed at, and shows the first of
   * them unless the text has the focus; with `stay` the text is not scrolled.
   */
  mark(lines: readonly number[], stay?: boolean): void;
  /** Breakpoints and values of a run in the text. */
  debugging(gestures: DebugGestures): Promise<DebugMarks>;
}

/** The page's interface to the keeper, which saves the user's works. */
export interface WorkKeeper {
  find(of: { id: string } | { hash: string } | "last"): Promise<Taken | null>;
  goOn(id?: string): void;
  leave(): Promise<void>;
  leaveFor(hash: string): void;
  begin(): void;
  whileShowing(shown: Promise<void>, current: () => boolean): Promise<void>;
}

/** What there may be a view for. */
export type Subject = "layout" | "memory-report" | "run" | "plan" | "origin";

/** What actions know of the views: they choose a view by these properties, not by its id. */
export interface ViewTraits {
  readonly id: string;
  /** It is where one of these is shown. */
  readonly opensFor?: readonly Subject[];
  /** Whether it shows, as it is now, what a run gives: who runs the program stays in it. */
  readonly showsRun?: (app: App) => boolean;
  /** Hears which of these it is shown for. */
  readonly shownFor?: (app: App, subject: Subject) => void;
  /** Shows the chosen value of a run, on any page, also on one that is not shown (`beside.ts`). */
  readonly Detail?: (props: { app: App; results: Results }) => JSX.Element | null;
  /** Another program takes the place of the one that was shown: forgets what was of that alone. */
  readonly leave?: (app: App) => void;
  /** It shows the program's outline, which is only computed while such a view is shown. */
  readonly showsOutline?: boolean;
  /** It says what the marked lines of a path through a run mean. */
  readonly explainsMarks?: boolean;
}

export interface App {
  readonly state: AppState;
  readonly engines: Engines;
  readonly views: readonly ViewTraits[];
  editor: EditorHandle | null;
  /** Null where nothing is kept, in tests. */
  keeper: WorkKeeper | null;
  /** Counts the runs started: an outdated run changes nothing. */
  runTurn: number;
  /** The text of the last run that was begun. */
  runText: string;
  /** Shows what is left of the run that is under way if it is cancelled; null: nothing of it. */
  heldRun: (() => void) | null;
  /** What of the files above the editor is kept; once there are some. */
  keptTabs?: (tabs: FileTabs | null) => Pick<Work, "fileTabs">;
  /** Counts the links and works that were opened: of two under way only the last one is shown. */
  openTurn: number;
  /** Resolves once `state.place` is that of the cursor; or is of another cursor by then. */
  placed: Promise<unknown>;
  /** State of views outside the store, by the functions that `perPage` made. */
  readonly sessions: Map<object, unknown>;
}

/** `view`: the one that it opens with; the first one if left out. */
export function createApp(
  engines: Engines,
  views: readonly ViewTraits[],
  view = views[0]?.id,
): App {
  return {
    state: createState(view),
    engines,
    views,
    editor: null,
    keeper: null,
    runTurn: 0,
    runText: "",
    heldRun: null,
    openTurn: 0,
    placed: Promise.resolve(),
    sessions: new Map(),
  };
}

/**
 * State of which every page has one instance, created on first use. Views use it instead of module
 * variables, since there may be several pages (tests have hundreds).
 */
export function perPage<S>(create: (app: App) => S): (app: App) => S {
  const of = (app: App): S => {
    if (!app.sessions.has(of)) app.sessions.set(of, create(app));
    return app.sessions.get(of) as S;
  };
  return of;
}
