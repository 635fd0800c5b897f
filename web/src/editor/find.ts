/** Finding and replacing in a text: CodeMirror's search behind a panel of the page's own. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  highlightSelectionMatches,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchKeymap,
  setSearchQuery,
} from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type EditorView, keymap, type Panel, type ViewUpdate } from "@codemirror/view";
import { element } from "./dom";
import { editorWords } from "./words";

const w = editorWords.find;

type Switch = "caseSensitive" | "wholeWord" | "regexp";

/** More are not counted. */
const MOST_COUNTED = 1000;

/** How many matches there are, and which of them is selected (from 1; 0 for none). */
export function countMatches(view: Pick<EditorView, "state">, query: SearchQuery) {
  let of = 0;
  let at = 0;
  const { from, to } = view.state.selection.main;
  const cursor = query.getCursor(view.state);
  for (let next = cursor.next(); !next.done && of < MOST_COUNTED; next = cursor.next()) {
    of++;
    if (next.value.from === from && next.value.to === to) at = of;
  }
  return { at, of, more: of === MOST_COUNTED };
}

function button(label: string, text: string, act: () => void): HTMLButtonElement {
  const node = element("button", "cm-find-button", text) as HTMLButtonElement;
  node.type = "button";
  node.title = label;
  node.setAttribute("aria-label", label);
  node.addEventListener("click", act);
  return node;
}

function box(label: string): HTMLInputElement {
  const node = element("input", "cm-find-box", "") as HTMLInputElement;
  node.type = "text";
  node.placeholder = label;
  node.spellcheck = false;
  node.autocomplete = "off";
  node.setAttribute("aria-label", label);
  return node;
}

class FindPanel implements Panel {
  readonly dom = element("div", "cm-find", "");
  readonly top = true;
  readonly #view: EditorView;
  readonly #find = box(w.find);
  readonly #replace = box(w.replace);
  readonly #count = element("span", "cm-find-count", "");
  readonly #switches: Record<Switch, HTMLButtonElement>;
  #query: SearchQuery;

  constructor(view: EditorView) {
    this.#view = view;
    this.#query = getSearchQuery(view.state);
    this.#find.setAttribute("main-field", "true");
    this.#count.setAttribute("role", "status");
    this.#switches = {
      caseSensitive: this.#switch(w.matchCase, "Aa"),
      wholeWord: this.#switch(w.wholeWord, "ab|"),
      regexp: this.#switch(w.regexp, ".*"),
    };
    for (const field of [this.#find, this.#replace]) {
      field.addEventListener("input", () => this.#commit());
    }
    this.dom.setAttribute("role", "search");
    this.dom.setAttribute("aria-label", w.panel);
    this.dom.addEventListener("keydown", (event) => this.#onKey(event));
    this.dom.append(this.#row(...this.#findRow()));
    if (!view.state.readOnly) {
      this.dom.append(
        this.#row(
          this.#replace,
          button(w.replaceOne, w.replaceOne, () => replaceNext(view)),
          button(w.replaceAll, w.replaceAll, () => replaceAll(view)),
        ),
      );
    }
    this.#show();
  }

  mount(): void {
    this.#find.select();
  }

  update(update: ViewUpdate): void {
    const query = getSearchQuery(update.state);
    const isNew = !query.eq(this.#query);
    this.#query = query;
    if (isNew || update.docChanged || update.selectionSet) this.#show();
  }

  #row(...parts: HTMLElement[]): HTMLElement {
    const row = element("div", "cm-find-row", "");
    row.append(...parts);
    return row;
  }

  #findRow(): HTMLElement[] {
    const view = this.#view;
    return [
      this.#find,
      this.#count,
      ...Object.values(this.#switches),
      button(w.previous, "↑", () => findPrevious(view)),
      button(w.next, "↓", () => findNext(view)),
      button(w.close, "×", () => this.#close()),
    ];
  }

  #switch(label: string, text: string): HTMLButtonElement {
    const node = button(label, text, () => {
      node.setAttribute("aria-pressed", String(node.getAttribute("aria-pressed") !== "true"));
      this.#commit();
    });
    return node;
  }

  #close(): void {
    closeSearchPanel(this.#view);
    this.#view.focus();
  }

  #commit(): void {
    const isOn = (node: HTMLElement): boolean => node.getAttribute("aria-pressed") === "true";
    const { caseSensitive, wholeWord, regexp } = this.#switches;
    const query = new SearchQuery({
      search: this.#find.value,
      replace: this.#replace.value,
      caseSensitive: isOn(caseSensitive),
      wholeWord: isOn(wholeWord),
      regexp: isOn(regexp),
      // A backslash is a backslash: names of files and strings have them.
      literal: true,
    });
    if (!query.eq(this.#query)) this.#view.dispatch({ effects: setSearchQuery.of(query) });
  }

  #onKey(event: KeyboardEvent): void {
    const { target, key, shiftKey } = event;
    if (key === "Escape") this.#close();
    else if (key === "Enter" && target === this.#find) {
      (shiftKey ? findPrevious : findNext)(this.#view);
    } else if (key === "Enter" && target === this.#replace) replaceNext(this.#view);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #show(): void {
    const query = this.#query;
    if (this.#find.value !== query.search) this.#find.value = query.search;
    if (this.#replace.value !== query.replace) this.#replace.value = query.replace;
    for (const [key, node] of Object.entries(this.#switches)) {
      node.setAttribute("aria-pressed", String(query[key as Switch]));
    }
    const { at, of, more } = query.valid
      ? countMatches(this.#view, query)
      : { at: 0, of: 0, more: false };
    const isInvalid = query.search !== "" && !query.valid;
    const found = of > 0 ? w.count(at, of, more) : w.none;
    this.#find.setAttribute("aria-invalid", String(isInvalid));
    this.#count.textContent = query.search === "" ? "" : isInvalid ? w.invalid : found;
  }
}

export const finding: Extension = [
  search({ top: true, createPanel: (view) => new FindPanel(view) }),
  highlightSelectionMatches(),
  keymap.of(searchKeymap),
];
