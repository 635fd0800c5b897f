/** Two texts beside each other, lines that correspond at the same height. */
import { Change, MergeView } from "@codemirror/merge";
import type { Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { applyTokens } from "../../editor/highlight";
import { linkedField, markLines } from "../../editor/linked";
import { readOnly } from "../../editor/reader";
import { changesBetween } from "./alignment";
import { compareWords } from "./words";

/** A text with its tokens. */
export interface ColouredText {
  text: string;
  tokens: Uint32Array;
}

export interface Texts {
  before: ColouredText;
  after: ColouredText;
  /** Pairs of lines that correspond. */
  lines: Uint32Array;
}

/** A place to scroll to, as offsets into the texts; null in one that has nothing there. */
export interface Place {
  before: number | null;
  after: number | null;
}

const mergeTheme = EditorView.theme({
  ".cm-changedLine": { backgroundColor: "var(--linked)" },
  "&.cm-merge-a .cm-changedText": { background: "var(--bad-soft)", textDecoration: "line-through" },
  "&.cm-merge-b .cm-changedText": { background: "var(--match)" },
  ".cm-linked": { boxShadow: "inset 3px 0 0 var(--accent)", backgroundColor: "var(--accent-soft)" },
  ".cm-changeGutter": { width: "3px" },
  ".cm-changedLineGutter": { background: "var(--accent)" },
  ".cm-collapsedLines": {
    color: "var(--muted)",
    background: "var(--panel-2)",
    font: "12px/1.8 var(--sans)",
    padding: "0 10px",
    cursor: "pointer",
    // The library's own sign is in few fonts.
    "&:before, &:after": { content: '"⋯"' },
  },
  ".cm-mergeSpacer": { background: "var(--panel-2)" },
});

/** The frame of both, which scrolls. */
const FRAME = `
  .cm-mergeView { height: 100%; overflow: auto; }
  .cm-mergeViewEditors { min-height: 100%; }
  .cm-mergeViewEditor { min-width: 0; }
  .cm-mergeViewEditor + .cm-mergeViewEditor { border-left: 1px solid var(--line-strong); }
`;

function side(text: string, label: string): { doc: string; extensions: Extension[] } {
  return {
    doc: text,
    extensions: [lineNumbers(), linkedField, readOnly(label), mergeTheme],
  };
}

/** Long stretches without a change are closed: a click opens one, a button of the view all of them. */
const collapsed = (all: boolean) => (all ? {} : { collapseUnchanged: { margin: 3, minSize: 8 } });

function create(host: HTMLElement, texts: Texts, all: boolean): MergeView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(FRAME);
  root.adoptedStyleSheets = [sheet];
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.replaceChildren(parent);
  host.dataset.ownSearch = "";
  const { before, after, lines } = texts;
  const changes = changesBetween(before.text, after.text, lines).map(
    ({ fromA, toA, fromB, toB }) => new Change(fromA, toA, fromB, toB),
  );
  const view = new MergeView({
    a: side(before.text, compareWords.textBefore),
    b: side(after.text, compareWords.textAfter),
    parent,
    root,
    gutter: true,
    ...collapsed(all),
    diffConfig: { override: () => changes },
  });
  applyTokens(view.a, before.tokens);
  applyTokens(view.b, after.tokens);
  return view;
}

/** Shows a place and highlights its lines; where they are far apart, the one after is in sight. */
function goTo(view: MergeView, { before, after }: Place): void {
  const show = (editor: EditorView, offset: number | null, y: "center" | "nearest"): void => {
    if (offset === null) {
      markLines(editor, [], false);
      return;
    }
    const at = Math.min(offset, editor.state.doc.length);
    editor.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y }),
    });
    markLines(editor, [editor.state.doc.lineAt(at).number - 1], false);
  };
  show(view.a, before, "center");
  // Both scroll together: as little as brings the other into sight too.
  show(view.b, after, before === null ? "center" : "nearest");
}

export function MergedTexts(props: {
  texts: Texts;
  /** Also the lines that did not change. */
  all: boolean;
  place: Place | null;
}): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<MergeView | null>(null);
  useEffect(() => {
    if (!host.current) return;
    const made = create(host.current, props.texts, props.all);
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [props.texts, props.all]);
  useEffect(() => {
    if (view.current && props.place) goTo(view.current, props.place);
  }, [props.place, props.texts]);
  return <div class="editor compare-texts" ref={host} />;
}
