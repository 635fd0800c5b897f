/**
 * Dumps of XLA: folders, archives and protocol buffers. Their files are texts above the editor;
 * one is decoded when it is shown.
 */
import { words } from "../strings";
import { loadProgram, notify, showPart, showViewFor, takeText } from "./actions";
import type { App } from "./app";
import { DumpProblem, MOST_BYTES, MOST_ENTRIES, unpack } from "./archives";
import { dumpWords } from "./dump_words";
import { keptTabs } from "./kept_tabs";
import { openProgram } from "./opening";
import { type DumpEntry, type FileTab, type FileTabs, type InputSpec, writable } from "./state";

/** Dumps of more files show a list of them, and the first as tabs. */
const MOST_TABS = 12;
const MAX_TEXT = 64 * 1024 * 1024;

/** A file that was dropped or chosen. */
export function entryOf(file: File): DumpEntry {
  return {
    name: file.webkitRelativePath || file.name,
    async read() {
      if (file.size > MOST_BYTES) throw new DumpProblem(dumpWords.tooLarge(file.name, MOST_BYTES));
      return new Uint8Array(await file.arrayBuffer());
    },
  };
}

const readPart = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((done, fail) => reader.readEntries(done, fail));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((done, fail) => entry.file(done, fail));

/** All files in what was dropped. */
export async function walk(dropped: readonly (FileSystemEntry | null)[]): Promise<DumpEntry[]> {
  const found: DumpEntry[] = [];
  const waiting = dropped.filter((entry) => entry !== null);
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (found.length >= MOST_ENTRIES) break;
    if (entry.isFile) {
      const file = await fileOf(entry as FileSystemFileEntry);
      found.push({ ...entryOf(file), name: entry.fullPath.replace(/^\//, "") });
      continue;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (let part = await readPart(reader); part.length > 0; part = await readPart(reader)) {
      waiting.push(...part);
    }
  }
  return found;
}

/** The order of what a compiler writes of one module. */
const STAGES = [
  /before_optimizations/,
  /\.\d{4}\./,
  /after_optimizations(?!.*(buffer-assignment|memory-usage))/,
  /buffer-assignment/,
  /memory-usage-report/,
  /snapshot/,
];

/** What the name of a file says: its module, and at which stage. */
function partsOf(name: string): { module: string; stage: string; rank: number } {
  const base = name.replace(/^.*\//, "");
  const found = /^(module_\d+\.[^.]+(?:\.\d{1,3}(?=\.))?)\.(.+)$/.exec(base);
  const rank = STAGES.findIndex((stage) => stage.test(base));
  return {
    module: found?.[1] ?? "",
    stage: found?.[2] ?? base,
    rank: rank < 0 ? STAGES.length : rank,
  };
}

/** By module, then by stage. */
function byStage(a: DumpEntry, b: DumpEntry): number {
  const [x, y] = [partsOf(a.name), partsOf(b.name)];
  return (
    x.module.localeCompare(y.module, "en", { numeric: true }) ||
    x.rank - y.rank ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );
}

function titleOf(name: string, isOnlyModule: boolean): string {
  const { module, stage } = partsOf(name);
  const short = stage.replace(/\.(txt|hlo|pb|pbtxt|mlir)$/, "");
  return module && !isOnlyModule ? `${module.replace(/^module_0*/, "")} ${short}` : short;
}

const isArray = ({ name }: DumpEntry): boolean => /\.npy$/i.test(name);
const isShown = ({ name }: DumpEntry): boolean =>
  /\.(txt|hlo|mlir|pb|pbtxt|textproto|textpb|stablehlo)$/i.test(name) || !/\.\w+$/.test(name);

/** A text, with what belongs to it. */
interface Decoded {
  text: string;
  inputs: InputSpec[];
  /** A second text that the file has. */
  assignment: string;
  /** What could not be read of the file; "" for nothing. */
  problem: string;
}

const NOTHING_ELSE = { inputs: [], assignment: "", problem: "" };

async function decode(app: App, entry: DumpEntry): Promise<Decoded> {
  const [file] = await unpack(entry);
  const bytes = (await file?.read()) ?? new Uint8Array();
  const isText = !bytes.subarray(0, 4096).includes(0) && bytes[0] !== 0x0a;
  const isProto = /\.(pb|pbtxt|textproto|textpb)$/i.test(file?.name ?? "") || !isText;
  if (!isProto) return { ...textOf(bytes, entry.name), ...NOTHING_ELSE };
  const answer = await app.engines.results.call("readDump", [{ files: [{ bytes }] }]);
  if (!answer.ok) {
    if (!bytes.includes(0)) return { ...textOf(bytes, entry.name), ...NOTHING_ELSE };
    throw new DumpProblem(dumpWords.unknown(entry.name));
  }
  const inputs = answer.inputs.map((text, at): InputSpec => {
    const array = answer.arrays[at];
    const name = `argument_${at}.npy`;
    return { text, file: array && array.length > 0 ? { name, bytes: array } : null };
  });
  const { text, bufferAssignment: assignment, problems } = answer;
  return { text, inputs, assignment, problem: problems[0] ?? "" };
}

function textOf(bytes: Uint8Array, name: string): { text: string } {
  if (bytes.length > MAX_TEXT) throw new DumpProblem(dumpWords.tooLarge(name, MAX_TEXT));
  return { text: new TextDecoder().decode(bytes) };
}

const tabOf = (name: string, title: string): FileTab => ({
  ...{ name, title, text: null, cursor: 0, inputs: [], history: null },
});

/** Shows a memory report where it is best looked at. */
function showFor(app: App, name: string): void {
  if (/buffer-assignment|memory-usage-report/.test(name)) showViewFor(app, "memory-report");
}

/** Opens files: as texts above the editor, arrays as inputs. */
export async function openDump(app: App, sources: readonly DumpEntry[]): Promise<void> {
  const isArchive = ({ name }: DumpEntry): boolean => /\.(zip|tar|tgz|tar\.gz)$/i.test(name);
  const single = sources.length === 1;
  const parts = await Promise.all(
    sources.map((source) => (single || isArchive(source) ? unpack(source) : [source])),
  );
  const all = parts.flat();
  const files = all.filter((entry) => !isArray(entry)).sort(byStage);
  const shown = single && all.length === 1 ? files : files.filter(isShown);
  const [first] = shown;
  if (!first) {
    if (all.some(isArray)) return takeArrays(app, all);
    throw new DumpProblem(dumpWords.nothing);
  }
  const modules = new Set(shown.map(({ name }) => partsOf(name).module));
  const tabs = shown
    .slice(0, MOST_TABS)
    .map(({ name }) => tabOf(name, titleOf(name, modules.size < 2)));
  app.keptTabs = keptTabs;
  // Read first: where that fails, nothing changes.
  const decoded = await decode(app, first);
  const undo = openProgram(app, {
    text: decoded.text,
    inputs: decoded.inputs,
    history: null,
    fileTabs: withAssignment({ tabs, selected: 0, files }, decoded),
  });
  showPart(app, "program");
  showFor(app, first.name);
  await takeArrays(app, all);
  const said = decoded.problem || dumpWords.opened(files.length, first.name);
  const kind = decoded.problem ? "error" : "info";
  notify(app, said, kind, { label: words.app.undo, act: undo });
}

async function takeArrays(app: App, all: readonly DumpEntry[]): Promise<void> {
  const arrays = all.filter(isArray);
  if (arrays.length === 0) return;
  const { takeArray } = await import("./arrays");
  for (const entry of arrays) {
    const bytes = await entry.read();
    await takeArray(app, new File([bytes as BlobPart], entry.name), null);
  }
}

/** The buffer assignment in a file is a text of its own, after the program. */
function withAssignment(fileTabs: FileTabs, { assignment }: Decoded): FileTabs | null {
  const { tabs, selected, files } = fileTabs;
  const own = tabs[selected];
  if (own && assignment) {
    const name = `${own.name}-${dumpWords.assignment}`;
    const tab = { ...tabOf(name, `${own.title} ${dumpWords.assignment}`), text: assignment };
    return {
      tabs: [...tabs.slice(0, selected + 1), tab, ...tabs.slice(selected + 1)],
      selected,
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
  const before = app.state.fileTabs.peek();
  let next: FileTabs | null = { ...fileTabs, selected };
  let { text, inputs } = tab;
  let problem = "";
  if (text === null) {
    const entry = fileTabs.files.find(({ name }) => name === tab.name);
    if (!entry) throw new DumpProblem(dumpWords.unknown(tab.name));
    const decoded = await decode(app, entry);
    // Another file may have been asked for meanwhile.
    if (app.state.fileTabs.peek() !== before) return;
    text = decoded.text;
    ({ inputs, problem } = decoded);
    next = withAssignment(next, decoded);
  }
  loadProgram(app, {
    ...{ text, inputs, cursor: tab.cursor, history: tab.history, fileTabs: next },
  });
  // After the program, with which what was said of the one before goes.
  if (problem) notify(app, problem, "error");
  showFor(app, tab.name);
}

const report = (app: App, work: Promise<void>): void =>
  void work.catch((error: Error) => notify(app, error.message, "error"));

/** Shows another of the files. */
export function selectTab(app: App, at: number): void {
  const now = current(app);
  if (now && at !== now.selected) report(app, show(app, now, at));
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
  report(app, show(app, { ...now, tabs, selected }, Math.min(selected, tabs.length - 1)));
}

/** Shows a file of the list, in a tab of its own. */
export function openListed(app: App, entry: DumpEntry): void {
  const now = current(app);
  if (!now) return;
  if (isArray(entry)) {
    report(app, takeArrays(app, [entry]));
    return;
  }
  const at = now.tabs.findIndex(({ name }) => name === entry.name);
  if (at >= 0) {
    selectTab(app, at);
    return;
  }
  const modules = new Set(now.files.map(({ name }) => partsOf(name).module));
  const tab = tabOf(entry.name, titleOf(entry.name, modules.size < 2));
  const tabs = [...now.tabs, tab];
  report(app, show(app, { ...now, tabs }, tabs.length - 1));
}
