/** The editor: CodeMirror in a shadow root, where its style sheet needs no `unsafe-inline`. */
import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  toggleComment,
  undo,
} from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { Compartment, EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
  type ViewUpdate,
} from "@codemirror/view";
import type { Diagnostic, TextRange } from "../../../wasm/engine_api";
import { notify, reportText } from "../app/actions";
import type { App, EditorHandle, Fix } from "../app/app";
import type { Taste } from "../app/state";
import type { TypingSinks } from "../app/typing";
import { words } from "../strings";
import { clip } from "./dom";
import { applyTokens, highlighting } from "./highlight";
import { type LinePointer, linkedLines, markLines } from "./linked";
import type { MoreOfEditor } from "./more";
import { tabKey } from "./tab_key";
import { editorTheme } from "./theme";
import { colouringVisible, LONG } from "./visible";

const TYPED = { userEvent: "input.type", scrollIntoView: true };

/** Delay after typing stops before the state is updated, and the maximum delay. */
const PAUSE_MS = 60;
const AT_LATEST_MS = 1000;

export interface Editor extends EditorHandle, TypingSinks {
  runFaults(text: string, diagnostics: Diagnostic[]): void;
  destroy(): void;
}

const texts = new WeakMap<Text, string>();

/** The text of a document, joined once. */
function textOf(doc: Text): string {
  const known = texts.get(doc);
  if (known !== undefined) return known;
  const text = doc.toString();
  texts.set(doc, text);
  return text;
}

/** Reports the text and the cursor to the page's state. */
class Reporter {
  readonly #app: App;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The change not yet reported, and since when. */
  #changed: { text: boolean; since: number } | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  heard(view: EditorView, docChanged: boolean): void {
    const now = performance.now();
    const since = this.#changed?.since ?? now;
    this.#changed = { text: docChanged || (this.#changed?.text ?? false), since };
    clearTimeout(this.#timer);
    const wait = Math.min(PAUSE_MS, Math.max(0, since + AT_LATEST_MS - now));
    this.#timer = setTimeout(() => this.tell(view), wait);
  }

  tell(view: EditorView): void {
    const changed = this.#changed;
    if (!changed) return;
    this.stop();
    const { state } = view;
    reportText(this.#app, state.selection.main.head, changed.text ? textOf(state.doc) : undefined);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#changed = null;
  }
}

/**
 * Typing over a selection. Left to itself the browser would keep the style of what is replaced by
 * an inline style, which the page's security policy forbids (and reports).
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    const single = view.state.selection.ranges.length === 1;
    if (empty || !single || event.isComposing || event.inputType !== "insertText" || !text) {
      return false;
    }
    const insert = () => view.state.update(view.state.replaceSelection(text), TYPED);
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

/** Whether a paste replaced everything. */
function isPasteOverAll(update: ViewUpdate): boolean {
  return update.transactions.some((transaction) => {
    if (!transaction.isUserEvent("input.paste")) return false;
    let isWhole = false;
    transaction.changes.iterChanges((fromA, toA) => {
      isWhole = fromA === 0 && toA === transaction.startState.doc.length;
    });
    return isWhole;
  });
}

/** The first fix of a problem at the cursor, else after it. */
function nextFix(faults: readonly Diagnostic[], cursor: number): Fix | null {
  const withFix = faults.filter(({ fixes }) => fixes.length > 0);
  const at = withFix.find(({ range: [begin, end] }) => begin <= cursor && cursor <= end);
  const after = withFix.find(({ range: [begin] }) => begin > cursor);
  return (at ?? after ?? withFix[0])?.fixes[0] ?? null;
}

const setup = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  drawSelection(),
  rectangularSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentUnit.of("  "),
  bracketMatching(),
  highlightActiveLine(),
  highlighting,
  editorTheme,
  // Both dialects have comments to the end of the line.
  EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
  typeOverSelection,
  placeholder(words.editor.invitation),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  EditorView.contentAttributes.of({
    "aria-label": words.editor.label,
    "aria-description": words.editor.tabKey,
    spellcheck: "false",
    tabindex: "0",
  }),
];

const wrapOf = ({ wrap }: Taste) => (wrap ? EditorView.lineWrapping : []);

const clipTo = (view: EditorView, range: TextRange): { from: number; to: number } =>
  clip(range, view.state.doc.length);

export function createEditor(
  app: App,
  host: HTMLElement,
  onLayout: (layout: string) => void,
  pointer: LinePointer,
): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.replaceChildren(parent);
  let pasted = false;
  /** The language of the last checked text: a part of a text cannot be recognised. */
  let kind = "";
  const isColouredWhereVisible = (length: number): boolean => length >= LONG && kind === "hlo";
  const reporter = new Reporter(app);
  const wrapping = new Compartment();
  const undoing = new Compartment();
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: app.state.text.value,
      extensions: [
        undoing.of(history()),
        setup,
        tabKey(),
        wrapping.of(wrapOf(app.state.taste.peek())),
        // The engine for values is idle while a person types.
        colouringVisible(isColouredWhereVisible, (text) =>
          app.engines.results.call("tokens", [text]),
        ),
        EditorView.updateListener.of((update) => {
          const { docChanged, selectionSet } = update;
          if (docChanged) pasted = isPasteOverAll(update);
          if (docChanged || selectionSet) reporter.heard(update.view, docChanged);
        }),
        linkedLines(pointer),
      ],
    }),
  });
  const stopWrapping = app.state.taste.subscribe((taste) => {
    view.dispatch({ effects: wrapping.reconfigure(wrapOf(taste)) });
  });
  let isGone = false;
  const more = import("./more").then(({ addMore }) => (isGone ? null : addMore(app, view)));
  /** What comes later, or word that it cannot be had. */
  const later = (act: (parts: MoreOfEditor) => void): void => {
    more.then(
      (parts) => parts && act(parts),
      () => notify(app, words.app.notFetched, "error"),
    );
  };
  more.catch(() => undefined);
  const now = (text: string): boolean =>
    view.state.doc.length === text.length && textOf(view.state.doc) === text;
  let checked: Diagnostic[] = [];
  /** The diagnostics shown: of the check, and of a run of exactly this text. */
  let faults: Diagnostic[] = [];
  const show = (found: Diagnostic[]): void => {
    faults = found;
    // Of a text that has changed meanwhile there are newer ones.
    const text = view.state.doc;
    more
      .then((parts) => faults === found && view.state.doc === text && parts?.showFaults(found))
      .catch(() => undefined);
  };
  const showFaults = (): void => show(checked);
  return {
    text: () => textOf(view.state.doc),
    selection() {
      const { from, to } = view.state.selection.main;
      return [from, to];
    },
    report: () => reporter.tell(view),
    setText(text) {
      if (now(text)) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: Math.min(view.state.selection.main.head, text.length) },
        userEvent: "input.replace",
      });
    },
    history: () => view.state.field(historyField, false) ?? null,
    showOther(text, kept) {
      // Without a history while the text changes: it is another one's.
      view.dispatch({ effects: undoing.reconfigure([]) });
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      const own = kept === null ? [] : historyField.init(() => kept);
      view.dispatch({ effects: undoing.reconfigure([own, history()]) });
    },
    focus: () => view.focus(),
    goTo(range, focus) {
      const { from } = clipTo(view, range);
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 }),
      });
      if (focus) view.focus();
    },
    replace(ranges, insert) {
      const changes = Array.from({ length: ranges.length / 2 }, (_, i) => {
        const range: TextRange = [ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0];
        return { ...clipTo(view, range), insert };
      });
      view.dispatch({
        changes,
        userEvent: "input.rename",
      });
    },
    nextFault: (backwards) => later((parts) => parts.nextFault(backwards)),
    find: () => later((parts) => parts.find()),
    unfoldAll: () => later((parts) => parts.unfoldAll()),
    foldOthers: () => later((parts) => parts.foldOthers()),
    goToEntry: () =>
      later((parts) => {
        if (!parts.goToEntry(true)) notify(app, words.editor.noEntry);
      }),
    undo: () => undo(view),
    toggleComment: () => {
      toggleComment(view);
      view.focus();
    },
    mark: (lines, stay = false) => markLines(view, lines, !stay && !view.hasFocus),
    debugging: async (does) => (await import("./debugging")).addDebugging(view, does),
    wantsTokens: (text) => !isColouredWhereVisible(text.length),
    tokens(text, tokens) {
      if (now(text)) applyTokens(view, tokens);
    },
    checked(text, check) {
      kind = check.kind;
      if (!now(text)) return;
      checked = check.diagnostics;
      if (pasted) {
        pasted = false;
        if (check.kind === "layout") {
          // A pasted layout is not a program: the layout view shows it, and the program is
          // restored.
          undo(view);
          onLayout(text.trim().replace(/\s+/g, " "));
          return;
        }
        if (check.kind === "foreign") return showFaults();
        const what = words.status.kinds[check.kind] ?? check.kind;
        const said = words.status.recognised([what, check.module].filter(Boolean).join(": "));
        notify(app, said, "info", { label: words.app.undo, act: () => undo(view) });
      }
      showFaults();
    },
    fix(chosen) {
      const fix = chosen ?? nextFix(faults, view.state.selection.main.head);
      if (!fix) return null;
      const { from, to } = clipTo(view, fix.range);
      view.dispatch({
        changes: { from, to, insert: fix.replacement },
        selection: { anchor: from + fix.replacement.length },
        scrollIntoView: true,
        userEvent: "input.fix",
      });
      return fix.title;
    },
    runFaults(text, diagnostics) {
      const known = new Set(checked.map((d) => `${d.code} ${d.range[0]} ${d.message}`));
      const more = diagnostics.filter((d) => !known.has(`${d.code} ${d.range[0]} ${d.message}`));
      if (!now(text) || more.length === 0) return;
      show([...checked, ...more]);
    },
    destroy() {
      isGone = true;
      reporter.stop();
      stopWrapping();
      more.then((parts) => parts?.stop()).catch(() => undefined);
      view.destroy();
    },
  };
}
