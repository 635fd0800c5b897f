/** The open files as programs beside the one that is shown: what it can be compared with. */
import type { App } from "./app";
import { readOnce } from "./decoding";
import { openListed, selectTab } from "./file_tabs";
import { isReport, isShown, moduleOf, titlesIn } from "./stages";
import type { FileTabs } from "./state";

/** Dumps of more files offer those that are tabs. */
const MOST_LISTED = 500;

export interface OpenProgram {
  name: string;
  title: string;
}

/** The programs among the files of a dump, by module and stage, and among the other tabs. */
export function openPrograms(fileTabs: FileTabs | null): OpenProgram[] {
  if (!fileTabs) return [];
  const { tabs, files } = fileTabs;
  const shown = files.filter(isShown);
  const titleOf = titlesIn(shown);
  const listed = shown.length > MOST_LISTED ? [] : shown;
  const names = new Set(listed.map(({ name }) => name));
  return [
    ...listed.map(({ name }) => ({ name, title: titleOf(name) })),
    ...tabs.filter(({ name }) => !names.has(name)),
  ]
    .filter((file) => !isReport(file))
    .map(({ name, title }) => ({ name, title }));
}

export const shownFile = (fileTabs: FileTabs | null): OpenProgram | null =>
  fileTabs?.tabs[fileTabs.selected] ?? null;

/** A program and the one before it of the same module. */
export interface Pair {
  before: OpenProgram;
  after: OpenProgram;
}

/** Each program with the one before it of the same module; null where there is none. */
const withEarlier = (programs: readonly OpenProgram[]): (Pair | null)[] =>
  programs.map((after, i) => {
    const before = programs[i - 1];
    return before && moduleOf(before.name) === moduleOf(after.name) ? { before, after } : null;
  });

/** All stages that have one before them. */
export const pairsOf = (fileTabs: FileTabs | null): Pair[] =>
  withEarlier(openPrograms(fileTabs)).filter((pair) => pair !== null);

/** What comes before the shown program, and the pairs around that one. */
export function pairsAround(fileTabs: FileTabs | null): {
  here: Pair | null;
  previous: Pair | null;
  next: Pair | null;
} {
  const programs = openPrograms(fileTabs);
  const shown = shownFile(fileTabs);
  const at = programs.findIndex(({ name }) => name === shown?.name);
  const pairs = withEarlier(programs);
  if (at < 0) return { here: null, previous: null, next: null };
  return {
    here: pairs[at] ?? null,
    previous: pairs.slice(0, at).findLast((pair) => pair !== null) ?? null,
    next: pairs.slice(at + 1).find((pair) => pair !== null) ?? null,
  };
}

/** The text of an open file, which is read where nobody has shown it yet. */
export async function readOpenFile(app: App, name: string): Promise<string> {
  const fileTabs = app.state.fileTabs.peek();
  const at = fileTabs?.tabs.findIndex((tab) => tab.name === name) ?? -1;
  if (at >= 0 && at === fileTabs?.selected) return app.editor?.text() ?? app.state.text.peek();
  const known = fileTabs?.tabs[at]?.text ?? null;
  if (known !== null) return known;
  const entry = fileTabs?.files.find((file) => file.name === name);
  return entry ? (await readOnce(app, entry)).text : "";
}

/** Shows an open file in the editor. */
export function showOpenFile(app: App, name: string): void {
  const fileTabs = app.state.fileTabs.peek();
  const at = fileTabs?.tabs.findIndex((tab) => tab.name === name) ?? -1;
  const entry = fileTabs?.files.find((file) => file.name === name);
  if (at >= 0) selectTab(app, at);
  else if (entry) openListed(app, entry);
}
