/** Reactions to typing: diagnostics, outline, highlighting, and what is under the cursor. */
import { batch, effect } from "@preact/signals";
import type { CheckResult } from "../../../wasm/engine_api";
import { words } from "../strings";
import {
  dismissNotice,
  notify,
  openView,
  selectInstruction,
  showViewFor,
  takeText,
} from "./actions";
import type { App } from "./app";
import { adoptCheck } from "./belonging";
import { isAbort } from "./engine_link";
import { checkProgram, Latest, outlineOf } from "./engines";
import { writable } from "./state";

/** How long a page that opens may have no text before it is taken to have none. */
const OPENING_MS = 200;

/**
 * How long the results for the previous text stay on screen while the engine checks the new one.
 */
const CHECKING_MS = 500;

export interface TypingSinks {
  /** Whether the whole text is to be highlighted. */
  wantsTokens(text: string): boolean;
  tokens(text: string, tokens: Uint32Array): void;
  checked(text: string, check: CheckResult): void;
}

/** A text that is no program is told to be none, with the way to a program. */
function tellForeign(app: App, { kind, diagnostics }: CheckResult): void {
  const [fault] = diagnostics;
  const said = app.state.check.peek()?.diagnostics[0]?.message;
  if (kind !== "foreign" || !fault || fault.message === said) return;
  const [fix] = fault.fixes;
  const label = fix?.title ?? words.app.undo;
  const act = (): void => void (fix ? app.editor?.fix(fix) : app.editor?.undo());
  notify(app, fault.message, "error", { label, act });
}

/** Nothing is written yet, and nobody has asked about that: a page that opens brings its text soon. */
const isOpening = ({ text, check }: App["state"]): boolean =>
  text.value === "" && check.peek() === null;

function watchText(app: App, sinks: TypingSinks): () => void {
  const s = writable(app.state);
  const check = new Latest(async (text: string) => {
    const { typing } = app.engines;
    const inputs = s.inputs.peek();
    try {
      const [tokens, found] = await Promise.all([
        sinks.wantsTokens(text) ? typing.call("tokens", [text]) : null,
        checkProgram(app.engines, text, inputs),
      ]);
      // Who has written nothing yet has made no fault.
      const checked = found.kind === "empty" ? { ...found, diagnostics: [] } : found;
      if (tokens) sinks.tokens(text, tokens);
      sinks.checked(text, checked);
      batch(() => {
        s.engineProblem.value = "";
        s.checkedText.value = text;
        const before = s.check.peek();
        // Who pastes a report wants to see its buffers. What a link opens says itself where.
        if (takeText(app) === text) tellForeign(app, checked);
        const isReport = checked.kind === "memory-report";
        if (isReport && before && before.kind !== checked.kind)
          showViewFor(app, "memory-report", openView);
        // Of a text that is no longer there nothing follows for what belongs to the program.
        if (text === s.text.peek()) adoptCheck(app, text, checked);
        s.check.value = checked;
      });
    } catch (error) {
      // A text that was cancelled in favour of the next one is not reported.
      if (isAbort(error) || text !== s.text.peek()) return;
      s.engineProblem.value = error instanceof Error ? error.message : String(error);
    }
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    void s.openInputs.value;
    const text = s.text.value;
    app.engines.typing.about(text);
    if ((s.notice.peek()?.of ?? text) !== text) dismissNotice(app);
    clearTimeout(timer);
    batch(() => {
      s.checking.value = false;
      s.engineProblem.value = "";
    });
    timer = setTimeout(() => {
      s.checking.value = s.checkedText.peek() !== text && s.engineProblem.peek() === "";
    }, CHECKING_MS);
    const ask = (): void =>
      void check.ask(text).then(() => {
        if (s.text.peek() === text) s.checking.value = false;
      });
    clearTimeout(opening);
    if (isOpening(s)) opening = setTimeout(ask, OPENING_MS);
    else ask();
  });
  return () => {
    clearTimeout(timer);
    clearTimeout(opening);
    stop();
  };
}

/** The outline of a long program is large: it is only made while it is shown. */
function watchOutline(app: App): () => void {
  const s = writable(app.state);
  const ask = new Latest(async (text: string) => {
    const outline = await outlineOf(app.engines, text);
    batch(() => {
      s.outline.value = outline;
      s.outlineText.value = text;
    });
  });
  return effect(() => {
    const shown = app.views.find(({ id }) => id === s.view.value);
    if (shown?.showsOutline || s.overlay.value === "palette") void ask.ask(s.text.value);
  });
}

function watchCursor(app: App): () => void {
  const s = writable(app.state);
  const ask = new Latest(async ([text, cursor]: [string, number]) => {
    const place = await app.engines.typing.call("place", [text, cursor]).catch(() => null);
    // Ignores a place that the cursor has left: a link may have moved it meanwhile.
    if (text !== s.text.peek() || cursor !== s.cursor.peek()) return;
    batch(() => {
      s.placedText.value = text;
      if (!place) return;
      s.place.value = place;
      const { instruction: name, computation } = place;
      if (name) selectInstruction(app, { name, computation });
    });
  });
  return effect(() => {
    const where: [string, number] = [s.text.value, s.cursor.value];
    if (!isOpening(s)) app.placed = ask.ask(where);
  });
}

export function startTyping(app: App, sinks: TypingSinks): () => void {
  const stops = [watchText(app, sinks), watchOutline(app), watchCursor(app)];
  return () => {
    for (const stop of stops) stop();
  };
}
