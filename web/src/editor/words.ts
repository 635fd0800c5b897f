/** Words of the editor's parts that are loaded after it. */
import { words } from "../strings";

export const editorWords = {
  value: {
    heading: "Last run:",
    lastOf: (iterations: readonly number[]) => `Last run, iteration ${iterations.join(".")}:`,
  },
  find: {
    panel: "Find and replace",
    find: "Find",
    replace: "Replace with",
    previous: "Previous match (Shift+Enter)",
    next: "Next match (Enter)",
    matchCase: "Match case",
    wholeWord: "Whole words",
    regexp: "Regular expression",
    replaceOne: "Replace",
    replaceAll: "Replace all",
    close: "Close (Esc)",
    none: "No match",
    invalid: "Not a regular expression",
    count: (at: number, of: number, more: boolean) =>
      at > 0 ? `${at} of ${of}${more ? "+" : ""}` : words.count(of, "match", "matches"),
  },
  fold: {
    gutter: (open: boolean) => (open ? "Fold" : "Unfold"),
    unfold: (what: string) => `${what}: unfold`,
    /** What a fold hides, if that is longer than the word for it. */
    kind(kind: string, length: number): string {
      const kinds: Record<string, string> = {
        metadata: "metadata",
        config: "configuration",
        layout: "layout",
        literal: "elements",
      };
      const word = kinds[kind] ?? "…";
      return length > word.length ? word : "…";
    },
    lines: (n: number) => words.count(n, "line", "lines"),
  },
} as const;
