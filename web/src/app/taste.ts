/** How a person likes the program to be shown: settings of the page, which the browser remembers. */
import type { FOLD_KINDS } from "../../../wasm/engine_api";
import type { App } from "./app";
import { DEFAULT_TASTE, type Taste, writable } from "./state";

export type { Taste } from "./state";
export type FoldKind = (typeof FOLD_KINDS)[number];

const KEY = "hlo-taste";

/** What was stored may be anything. */
export function readTaste(text: string): Taste {
  try {
    const { wrap, entryFirst, welcomed, folded } = JSON.parse(text) as Partial<Taste>;
    const kinds = Array.isArray(folded) ? folded.filter((kind) => typeof kind === "string") : [];
    const isOn = (value: unknown): boolean => value === true;
    return {
      wrap: isOn(wrap),
      entryFirst: isOn(entryFirst),
      welcomed: isOn(welcomed),
      folded: kinds,
    };
  } catch {
    return DEFAULT_TASTE;
  }
}

function stored(): Taste {
  try {
    return readTaste(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return DEFAULT_TASTE;
  }
}

export function changeTaste(app: App, change: Partial<Taste>): void {
  const { taste } = writable(app.state);
  taste.value = { ...taste.peek(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(taste.peek()));
  } catch {
    // A page without storage forgets the choice.
  }
}

/** Folds everything of these kinds, in this program and the next ones; or no longer. */
export function toggleFolded(app: App, kinds: readonly FoldKind[]): void {
  const { folded } = app.state.taste.peek();
  const rest = folded.filter((kind) => !kinds.some((other) => other === kind));
  changeTaste(app, { folded: rest.length < folded.length ? rest : [...rest, ...kinds] });
}

export function startTaste(app: App): void {
  writable(app.state).taste.value = stored();
}
