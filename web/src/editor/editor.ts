/** The editor: CodeMirror in a shadow root, where its style sheet needs no `unsafe-inline`. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  toggleComment,
} from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintKeymap, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import {
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
} from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import type { CheckResult, Diagnostic, TextRange } from "../../../wasm/engine_api";
import { notify } from "../app/actions";
import type { App, EditorHandle } from "../app/app";
import { recognise } from "../app/recognise";
import { words } from "../strings";
import { applyTokens, highlighting } from "./highlight";
import { language, showDiagnostics } from "./language";
import { type LinePointer, linkedLines, markLines } from "./linked";
import { editorTheme } from "./theme";

const TYPED = { userEvent: "input.type", scrollIntoView: true };

/** The engine hears of a change when nothing was typed for so long. */
const PAUSE_MS = 60;

export interface Editor extends EditorHandle {
  tokens(text: string, tokens: Uint32Array): void;
  checked(text: string, check: CheckResult): void;
  runFaults(text: string, diagnostics: Diagnostic[]): void;
  destroy(): void;
}

const texts = new WeakMap<Text, string>();

/** The text of a document, put together once. */
function textOf(doc: Text): string {
  const known = texts.get(doc);
  if (known !== undefined) return known;
  const text = doc.toString();
  texts.set(doc, text);
  return text;
}

function report(app: App): ReturnType<typeof EditorView.updateListener.of> {
  let timer = 0;
  return EditorView.updateListener.of((update) => {
    if (!update.docChanged && !update.selectionSet) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const { state } = update.view;
      if (update.docChanged || app.state.text.value.length !== state.doc.length) {
        app.state.text.value = textOf(state.doc);
      }
      app.state.cursor.value = state.selection.main.head;
    }, PAUSE_MS);
  });
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

/** A shape pasted over everything is not a program: the layout view shows it. */
function pasting(onShape: (shape: string) => void, onProgram: () => void) {
  return EditorView.domEventHandlers({
    paste(event, view) {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const { from, to } = view.state.selection.main;
      const replacesAll = to - from === view.state.doc.length;
      if (!replacesAll) return false;
      if (recognise(text) !== "shape") {
        onProgram();
        return false;
      }
      onShape(text.trim());
      return true;
    },
  });
}

const setup = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  rectangularSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentUnit.of("  "),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  highlighting,
  editorTheme,
  typeOverSelection,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  EditorView.contentAttributes.of({
    "aria-label": words.editor.label,
    spellcheck: "false",
    tabindex: "0",
  }),
];

function clipTo(view: EditorView, [begin, end]: TextRange): { from: number; to: number } {
  const length = view.state.doc.length;
  const from = Math.max(0, Math.min(begin, length));
  return { from, to: Math.max(from, Math.min(end, length)) };
}

export function createEditor(
  app: App,
  host: HTMLElement,
  onShape: (shape: string) => void,
  pointer: LinePointer,
): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.replaceChildren(parent);
  let pasted = false;
  const onProgram = (): void => {
    pasted = true;
  };
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      doc: app.state.text.value,
      extensions: [
        setup,
        language(app),
        report(app),
        pasting(onShape, onProgram),
        linkedLines(pointer),
      ],
    }),
  });
  const now = (text: string): boolean =>
    view.state.doc.length === text.length && textOf(view.state.doc) === text;
  let checked: Diagnostic[] = [];
  return {
    text: () => textOf(view.state.doc),
    setText(text) {
      if (now(text)) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: Math.min(view.state.selection.main.head, text.length) },
        userEvent: "input.replace",
      });
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
      view.dispatch({
        changes: ranges.map((range) => ({ ...clipTo(view, range), insert })),
        userEvent: "input.rename",
      });
    },
    nextFault: (backwards) => (backwards ? previousDiagnostic : nextDiagnostic)(view),
    find: () => openSearchPanel(view),
    toggleComment: () => {
      toggleComment(view);
      view.focus();
    },
    mark: (lines) => markLines(view, lines, !view.hasFocus),
    tokens(text, tokens) {
      if (now(text)) applyTokens(view, tokens);
    },
    checked(text, check) {
      if (!now(text)) return;
      checked = check.diagnostics;
      if (pasted) {
        const kind = words.status.kinds[check.kind] ?? check.kind;
        notify(app, words.status.recognised([kind, check.module].filter(Boolean).join(": ")));
        pasted = false;
      }
      showDiagnostics(view, checked);
    },
    runFaults(text, diagnostics) {
      const known = new Set(checked.map((d) => `${d.code} ${d.range[0]} ${d.message}`));
      const more = diagnostics.filter((d) => !known.has(`${d.code} ${d.range[0]} ${d.message}`));
      if (now(text) && more.length > 0) showDiagnostics(view, [...checked, ...more]);
    },
    destroy: () => view.destroy(),
  };
}
