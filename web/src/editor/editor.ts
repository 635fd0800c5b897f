/** The editor: CodeMirror in a shadow root, where its style sheet needs no `unsafe-inline`. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
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
import type { Diagnostic } from "../../../wasm/engine_api";
import { notify, reportText } from "../app/actions";
import type { App, EditorHandle } from "../app/app";
import type { Taste } from "../app/state";
import type { TypingSinks } from "../app/typing";
import { words } from "../strings";
import { checksHandle, pasteReceiver, type TextFacts } from "./checks";
import { documentHandle, textOf } from "./document";
import { highlighting } from "./highlight";
import { type LinePointer, linkedLines } from "./linked";
import type { MoreOfEditor } from "./more";
import { tabKey } from "./tab_key";
import { editorTheme } from "./theme";
import { colouringVisible, isColouredWhereVisible } from "./visible";

const TYPED = { userEvent: "input.type", scrollIntoView: true };

/** Delay after typing stops before the state is updated, and the maximum delay. */
const PAUSE_MS = 60;
const AT_LATEST_MS = 1000;

export interface Editor extends EditorHandle, TypingSinks {
  runFaults(text: string, diagnostics: Diagnostic[]): void;
  destroy(): void;
}

/** Reports the text and the cursor to the page's state. */
interface Reporter {
  heard(view: EditorView, docChanged: boolean): void;
  tell(view: EditorView): void;
  stop(): void;
}

function reporterTo(app: App): Reporter {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The change not yet reported, and since when. */
  let changed: { text: boolean; since: number } | null = null;
  const stop = (): void => {
    clearTimeout(timer);
    changed = null;
  };
  const tell = (view: EditorView): void => {
    if (!changed) return;
    const { text } = changed;
    stop();
    const { state } = view;
    reportText(app, state.selection.main.head, text ? textOf(state.doc) : undefined);
  };
  return {
    heard(view, docChanged) {
      const now = performance.now();
      const since = changed?.since ?? now;
      changed = { text: docChanged || (changed?.text ?? false), since };
      clearTimeout(timer);
      const wait = Math.min(PAUSE_MS, Math.max(0, since + AT_LATEST_MS - now));
      timer = setTimeout(() => tell(view), wait);
    },
    tell,
    stop,
  };
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

/** Colours the visible part of a long text; the engine for values is idle while a person types. */
const colouring = (app: App, facts: TextFacts): Extension =>
  colouringVisible(
    (length) => isColouredWhereVisible(length, facts.kind),
    (text) => app.engines.results.call("tokens", [text]),
  );

/** Hears of every change of the text and of the cursor. */
const hearing = (reporter: Reporter, facts: TextFacts): Extension =>
  EditorView.updateListener.of((update) => {
    const { docChanged, selectionSet } = update;
    if (docChanged) facts.isPasted = isPasteOverAll(update);
    if (docChanged || selectionSet) reporter.heard(update.view, docChanged);
  });

/** What does not come with the editor: commands do it once it is there, or say that it cannot be had. */
function moreHandle(app: App, view: EditorView, more: Promise<MoreOfEditor | null>) {
  const later = (act: (parts: MoreOfEditor) => void): void => {
    more.then(
      (parts) => parts && act(parts),
      () => notify(app, words.app.notFetched, "error"),
    );
  };
  return {
    nextFault: (backwards) => later((parts) => parts.nextFault(backwards)),
    find: () => later((parts) => parts.find()),
    unfoldAll: () => later((parts) => parts.unfoldAll()),
    foldOthers: () => later((parts) => parts.foldOthers()),
    goToEntry: () =>
      later((parts) => {
        if (!parts.goToEntry(true)) notify(app, words.editor.noEntry);
      }),
    debugging: async (does) => (await import("./debugging")).addDebugging(view, does),
  } satisfies Partial<Editor>;
}

/** Makes an editor of the page's text in the shadow root of `host`. `onLayout` is told of a layout that is pasted over all. */
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
  const facts: TextFacts = { kind: "", isPasted: false };
  const reporter = reporterTo(app);
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
        colouring(app, facts),
        hearing(reporter, facts),
        linkedLines(pointer),
      ],
    }),
  });
  let { wrap } = app.state.taste.peek();
  const stopWrapping = app.state.taste.subscribe((taste) => {
    if (taste.wrap === wrap) return;
    wrap = taste.wrap;
    view.dispatch({ effects: wrapping.reconfigure(wrapOf(taste)) });
  });
  let isGone = false;
  const more = import("./more").then(({ addMore }) => (isGone ? null : addMore(app, view)));
  more.catch(() => undefined);
  return {
    ...documentHandle(view, undoing),
    ...checksHandle(view, facts, more, pasteReceiver(app, view, onLayout)),
    ...moreHandle(app, view, more),
    report: () => reporter.tell(view),
    destroy() {
      isGone = true;
      reporter.stop();
      stopWrapping();
      more.then((parts) => parts?.stop()).catch(() => undefined);
      view.destroy();
    },
  };
}
