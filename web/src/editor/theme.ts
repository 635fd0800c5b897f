/** The editor's look. It lives in a shadow root, so its rules are here and not in the style sheets. */
import { EditorView } from "@codemirror/view";

const tokenColours: Record<string, Record<string, string>> = {
  keyword: { color: "var(--tok-keyword)" },
  opcode: { color: "var(--tok-opcode)" },
  name: { color: "var(--tok-name)" },
  computationName: { color: "var(--tok-computation)" },
  attribute: { color: "var(--tok-attribute)" },
  type: { color: "var(--tok-type)" },
  number: { color: "var(--tok-number)" },
  string: { color: "var(--tok-string)" },
  comment: { color: "var(--tok-comment)" },
  layout: { color: "var(--tok-layout)" },
  invalid: { color: "var(--bad)", textDecoration: "underline wavy" },
};

// What has no highlight of its own has a class: see highlight.ts. Browsers without highlights refuse
// a style sheet that names them.
const highlighted = globalThis.CSS?.highlights ? Object.entries(tokenColours) : [];
const tokens = Object.fromEntries([
  [".tok-punctuation", { color: "var(--muted)" }],
  ...highlighted.map(([kind, style]) => [`.cm-line::highlight(tok-${kind})`, style]),
]);

const tooltips = {
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  // The description of an option is a part of it, and lies outside.
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip.cm-completionInfo": { padding: "0" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    maxHeight: "16em",
    borderRadius: "5px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
  },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-doc": { padding: "8px 12px", maxWidth: "460px", font: "13px/1.45 var(--sans)" },
  ".cm-doc-title": { fontFamily: "var(--mono)", fontWeight: "600", marginBottom: "4px" },
  ".cm-doc p": { margin: "4px 0 0", whiteSpace: "pre-wrap" },
  ".cm-doc-value": {
    marginTop: "8px",
    paddingTop: "6px",
    borderTop: "1px solid var(--line)",
    font: "12px/1.45 var(--mono)",
  },
  ".cm-doc-heading": { color: "var(--muted)", fontFamily: "var(--sans)" },
  ".cm-doc pre": { margin: "2px 0 0", font: "inherit", whiteSpace: "pre-wrap" },
  ".cm-snippetField": { backgroundColor: "var(--match)" },
};

/** A wavy line under text. As a decoration of the text it would have the colour of its highlight. */
function wave(colour: string): Record<string, string> {
  const slope = (angle: number, from: number): string =>
    `linear-gradient(${angle}deg, transparent ${from}%, ${colour} ${from + 12}%, transparent ${from + 24}%)`;
  return {
    backgroundImage: [slope(45, 65), slope(135, 3), slope(135, 43), slope(45, 25)].join(", "),
    backgroundSize: "8px 3px",
    backgroundPosition: "left bottom",
    backgroundRepeat: "repeat-x",
    paddingBottom: "1px",
  };
}

const folds = {
  ".cm-fold": {
    color: "var(--muted)",
    backgroundColor: "var(--panel-2)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    padding: "0 4px",
    fontSize: "11px",
    cursor: "pointer",
  },
  ".cm-foldGutter": { width: "14px" },
  ".cm-fold-marker": { display: "block", textAlign: "center", cursor: "pointer" },
};

const faults = {
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "3px", font: "13px/1.4 var(--sans)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--accent)" },
  ".cm-diagnosticAction": {
    font: "inherit",
    fontSize: "12px",
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    borderRadius: "4px",
    padding: "2px 8px",
    margin: "4px 6px 0 0",
  },
  ".cm-diagnosticSource": { fontSize: "11px", opacity: "1", color: "var(--muted)" },
  ".cm-fault-note": {
    display: "block",
    font: "inherit",
    color: "var(--accent)",
    background: "none",
    border: "0",
    padding: "2px 0",
    textAlign: "left",
    cursor: "pointer",
  },
  ".cm-lintRange-error": wave("var(--bad)"),
  ".cm-lintRange-warning": wave("var(--warn)"),
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "3px 1px" },
  ".cm-lint-marker": { width: "10px", height: "10px", content: "''", borderRadius: "50%" },
  ".cm-lint-marker-error": { content: "''", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "''", backgroundColor: "var(--warn)" },
  ".cm-lint-marker-info": { content: "''", backgroundColor: "var(--accent)" },
};

const panels = {
  ".cm-panels": { backgroundColor: "var(--panel-2)", color: "var(--text)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-find": { padding: "6px 8px", font: "13px/1.4 var(--sans)" },
  ".cm-find-row": { display: "flex", gap: "4px", alignItems: "center", padding: "2px 0" },
  ".cm-find-box": {
    flex: "1 1 8em",
    minWidth: "6em",
    height: "26px",
    padding: "0 8px",
    font: "13px var(--mono)",
    color: "var(--text)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line-strong)",
    borderRadius: "4px",
  },
  ".cm-find-box[aria-invalid=true]": { borderColor: "var(--bad)" },
  ".cm-find-count": { minWidth: "5.5em", color: "var(--muted)", fontSize: "12px" },
  ".cm-find-button": {
    height: "26px",
    padding: "0 8px",
    font: "inherit",
    fontSize: "12px",
    color: "var(--text)",
    background: "none",
    border: "1px solid transparent",
    borderRadius: "4px",
    whiteSpace: "nowrap",
    cursor: "pointer",
  },
  ".cm-find-button:hover, .cm-find-button[aria-pressed=true]": {
    backgroundColor: "var(--accent-soft)",
    borderColor: "var(--line-strong)",
  },
  ".cm-find :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "0" },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--match-on)" },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
};

export const editorTheme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--text)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": {
    backgroundColor: "var(--panel)",
    color: "var(--faint)",
    border: "0",
    paddingRight: "4px",
  },
  ".cm-linked": { backgroundColor: "var(--linked)", boxShadow: "inset 2px 0 0 var(--accent)" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-line)", color: "var(--muted)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--match)",
    outline: "1px solid var(--line-strong)",
  },
  ...tokens,
  ".cm-placeholder": {
    color: "var(--muted)",
    font: "13px/1.55 var(--sans)",
    whiteSpace: "normal",
    maxWidth: "min(32em, 70vw)",
  },
  ...tooltips,
  ...folds,
  ...faults,
  ...panels,
});
