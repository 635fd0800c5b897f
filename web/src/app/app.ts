/** The parts of a running page, handed to every view and command. */
import type { TextRange } from "../../../wasm/engine_api";
import type { Engines } from "./engines";
import { type AppState, createState } from "./state";
import type { Taken } from "./work";

/** What the rest of the page may ask of the editor. */
export interface EditorHandle {
  text(): string;
  /** Tells the state what is written, without waiting for a pause. */
  report(): void;
  /** Replaces the whole text as one step that can be undone. */
  setText(text: string): void;
  focus(): void;
  /** Moves the cursor to a range and scrolls to it. */
  goTo(range: TextRange, focus: boolean): void;
  /** Replaces several ranges at once. */
  replace(ranges: TextRange[], text: string): void;
  nextFault(backwards: boolean): void;
  /** Mends what is wrong at the cursor, or after it, as the engine offers; what that was, or null. */
  fix(): string | null;
  find(): void;
  /** Comments lines out, or in again. */
  toggleComment(): void;
  /** Marks lines (from 0, in order) as belonging to one that is pointed at elsewhere. */
  mark(lines: readonly number[]): void;
}

/** What the page asks of what keeps the works of a person. */
export interface WorkKeeper {
  find(of: { id: string } | { hash: string } | "last"): Promise<Taken | null>;
  goOn(id?: string): void;
  leave(): Promise<void>;
  leaveFor(hash: string): void;
  begin(): void;
  whileShowing(shown: Promise<void>): Promise<void>;
}

/** What there may be a view for. */
export type Subject = "layout" | "memory-report" | "run";

/** What actions know of the views: which to show is asked by what they say of themselves. */
export interface ViewTraits {
  readonly id: string;
  /** It is where one of these is shown. */
  readonly opensFor?: readonly Subject[];
  /** It shows the outline of the program, which is made only for who looks at it. */
  readonly showsOutline?: boolean;
}

export interface App {
  readonly state: AppState;
  readonly engines: Engines;
  readonly views: readonly ViewTraits[];
  editor: EditorHandle | null;
  /** Null where nothing is kept, in tests. */
  keeper: WorkKeeper | null;
  /** Counts the runs that were begun: a run that is no longer the last one changes nothing. */
  runTurn: number;
  /** The text of the last run that was begun. */
  runText: string;
  /** Counts the links and works that were opened: of two under way only the last one is shown. */
  openTurn: number;
  /** What views keep beside the state, by the functions that `perPage` made. */
  readonly sessions: Map<object, unknown>;
}

export function createApp(engines: Engines, views: readonly ViewTraits[]): App {
  return {
    state: createState(views[0]?.id),
    engines,
    views,
    editor: null,
    keeper: null,
    runTurn: 0,
    runText: "",
    openTurn: 0,
    sessions: new Map(),
  };
}

/**
 * Something that every page has one of: made when it is first asked for. What views keep beside the
 * state is kept so, and not in their modules, for there may be several pages (tests have hundreds).
 */
export function perPage<S>(create: (app: App) => S): (app: App) => S {
  const of = (app: App): S => {
    if (!app.sessions.has(of)) app.sessions.set(of, create(app));
    return app.sessions.get(of) as S;
  };
  return of;
}
