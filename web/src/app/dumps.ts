/**
 * Dumps of XLA: folders, archives and protocol buffers. Their files become texts above the editor
 * (`file_tabs.ts`).
 */
import { words } from "../strings";
import { notify, showPart } from "./actions";
import type { App } from "./app";
import { DumpProblem, MOST_ENTRIES, unpack } from "./archives";
import { decode, entryOf } from "./decoding";
import { dumpWords } from "./dump_words";
import { showFor, tabOf, takeArrays, withAssignment } from "./file_tabs";
import { keepTabs, readAhead } from "./kept_tabs";
import { openProgram } from "./opening";
import { byStage, isArray, isShown, titlesIn } from "./stages";
import type { DumpEntry } from "./state";

/** Dumps of more files show a list of them, and the first as tabs. */
const MOST_TABS = 12;
/** Files that are not shown are read after this time. */
const READ_AHEAD_MS = 400;

const readPart = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((done, fail) => reader.readEntries(done, fail));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((done, fail) => entry.file(done, fail));

/** All files in what was dropped. */
export async function walk(dropped: readonly (FileSystemEntry | null)[]): Promise<DumpEntry[]> {
  const found: DumpEntry[] = [];
  const waiting = dropped.filter((entry) => entry !== null);
  for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
    if (found.length >= MOST_ENTRIES) {
      throw new DumpProblem(dumpWords.tooMany(entry.name, MOST_ENTRIES));
    }
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
  const titleOf = titlesIn(shown);
  const tabs = shown.slice(0, MOST_TABS).map(({ name }) => tabOf(name, titleOf(name)));
  keepTabs(app);
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
  // Once the program that is shown has been drawn.
  setTimeout(() => void readAhead(app), READ_AHEAD_MS);
}
