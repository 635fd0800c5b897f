/** The files above the editor: one of them is shown; it is decoded when that happens first. */
import { loadProgram, notify, openView, showViewFor, takeText, tellFailure } from "./actions";
import type { App } from "./app";
import { DumpProblem } from "./archives";
import { type Decoded, decode } from "./decoding";
import { dumpWords } from "./dump_words";
import { isArray, isReport, isShown, titlesIn } from "./stages";
import { type DumpEntry, type FileTab, type FileTabs, type InputSpec, writable } from "./state";

export const tabOf = (name: string, title: string): FileTab => ({
  ...{ name, title, text: null, cursor: 0, inputs: [], history: null },
});

/** Shows a memory report where it is best looked at. */
export function showFor(app: App, name: string): void {
  if (isReport({ name })) showViewFor(app, "memory-report", openView);
}

/** Opens the arrays among files, as inputs. */
export async function takeArrays(app: App, all: readonly DumpEntry[]): Promise<void> {
  const arrays: NonNullable<InputSpec["file"]>[] = [];
  for (const entry of all.filter(isArray)) {
    arrays.push({ name: entry.name, bytes: await entry.read() });
  }
  const [first, second] = arrays;
  if (!first) return;
  if (second) return (await import("./npz")).giveArrays(app, "", arrays);
  const { takeArray } = await import("./arrays");
  await takeArray(app, new File([first.bytes as BlobPart], first.name), null);
}

/** The buffer assignment in a file is a text of its own, after the program. */
export function withAssignment(fileTabs: FileTabs, { assignment }: Decoded): FileTabs | null {
  const { tabs, selected, files } = fileTabs;
  const own = tabs[selected];
  if (own && assignment) {
    const name = `${own.name}-${dumpWords.assignment}`;
    const tab = { ...tabOf(name, `${own.title} ${dumpWords.assignment}`), text: assignment };
    // One that is open already is left from when the program was open before.
    const others = tabs.filter((each) => each.name !== name);
    const at = others.indexOf(own);
    return {
      tabs: [...others.slice(0, at + 1), tab, ...others.slice(at + 1)],
      selected: at,
      files,
    };
  }
  return tabs.length > 1 || files.length > 1 ? fileTabs : null;
}

/** The tabs, with what the editor has of the one that is shown. */
function current(app: App): FileTabs | null {
  const s = app.state;
  const fileTabs = s.fileTabs.peek();
  if (!fileTabs) return null;
  const text = takeText(app);
  const tabs = fileTabs.tabs.map((tab, at) =>
    at === fileTabs.selected
      ? {
          ...{ ...tab, text, cursor: s.cursor.peek(), inputs: s.inputs.peek() },
          history: app.editor?.history() ?? null,
        }
      : tab,
  );
  return { ...fileTabs, tabs };
}

async function show(app: App, fileTabs: FileTabs, selected: number): Promise<void> {
  const tab = fileTabs.tabs[selected];
  if (!tab) return;
  const before = app.state.fileTabs.peek()?.tabs;
  let next: FileTabs | null = { ...fileTabs, selected };
  let { text, inputs } = tab;
  let problem = "";
  if (text === null) {
    const entry = fileTabs.files.find(({ name }) => name === tab.name);
    if (!entry) throw new DumpProblem(dumpWords.unknown(tab.name));
    const decoded = await decode(app, entry);
    // Another file may have been asked for meanwhile.
    if (app.state.fileTabs.peek()?.tabs !== before) return;
    text = decoded.text;
    ({ inputs, problem } = decoded);
    // What was written meanwhile stays with the file that is left.
    const left = current(app);
    const leaving = left?.tabs[left.selected];
    const tabs = fileTabs.tabs.map((each) => (each.name === leaving?.name ? leaving : each));
    next = withAssignment({ ...fileTabs, tabs, selected }, decoded);
  }
  loadProgram(app, {
    ...{ text, inputs, cursor: tab.cursor, history: tab.history, fileTabs: next },
  });
  // After the program, with which what was said of the one before goes.
  if (problem) notify(app, problem, "error");
  showFor(app, tab.name);
}

/** Shows another of the files. */
export function selectTab(app: App, at: number): void {
  const now = current(app);
  if (now && at !== now.selected) tellFailure(app, show(app, now, at));
}

/** Closes a file; the one beside it is shown. */
export function closeTab(app: App, at: number): void {
  const now = current(app);
  if (!now || now.tabs.length < 2) return;
  const tabs = now.tabs.filter((_, i) => i !== at);
  const selected = now.selected > at ? now.selected - 1 : now.selected;
  if (at !== now.selected) {
    writable(app.state).fileTabs.value = { ...now, tabs, selected };
    return;
  }
  tellFailure(app, show(app, { ...now, tabs, selected }, Math.min(selected, tabs.length - 1)));
}

/** Shows a file of the list, in a tab of its own. */
export function openListed(app: App, entry: DumpEntry): void {
  const now = current(app);
  if (!now) return;
  if (isArray(entry)) {
    tellFailure(app, takeArrays(app, [entry]));
    return;
  }
  const at = now.tabs.findIndex(({ name }) => name === entry.name);
  if (at >= 0) {
    selectTab(app, at);
    return;
  }
  const tab = tabOf(entry.name, titlesIn(now.files.filter(isShown))(entry.name));
  const tabs = [...now.tabs, tab];
  tellFailure(app, show(app, { ...now, tabs }, tabs.length - 1));
}
