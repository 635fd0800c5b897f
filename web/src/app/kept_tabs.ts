/** The files above the editor as a work keeps them. */
import type { App } from "./app";
import { entryOfText, readBefore, readOnce } from "./decoding";
import { dumpWords } from "./dump_words";
import { isArray, isShown } from "./stages";
import { type DumpEntry, type FileTabs, writable } from "./state";
import { type KeptTab, keptInputs, newId, type Work } from "./work";

/** More characters of other files are not kept with a work; fewer where a browser has less room. */
const MOST_KEPT_TEXT = 8 * 1024 * 1024;
const MOST_IN_TAB = 1024 * 1024;
/** Files are not read ahead beyond this many bytes, however few of them can be kept. */
const MOST_READ = 4 * MOST_KEPT_TEXT;
/** Dumps whose files a page has at hand, for who goes back to one. */
const MOST_DUMPS = 2;

/** The files of the dumps that were opened last, by the ids under which works name them. */
const atHand = new Map<string, readonly DumpEntry[]>();

function idOf(files: readonly DumpEntry[]): string {
  for (const [id, known] of atHand) if (known === files) return id;
  const id = newId();
  atHand.set(id, files);
  for (const old of [...atHand.keys()].slice(0, -MOST_DUMPS)) atHand.delete(old);
  return id;
}

const roomIn = (app: App): number =>
  app.state.keeping.peek().store === "browser" ? MOST_KEPT_TEXT : MOST_IN_TAB;

/** The files beside the text, as far as they were read and there is room. */
export function keptTabs(fileTabs: FileTabs | null, most = MOST_KEPT_TEXT): Pick<Work, "fileTabs"> {
  if (!fileTabs) return {};
  const { files, selected } = fileTabs;
  let room = most;
  const fitting = (text: string | undefined): string | null => {
    if (text === undefined || text.length > room) return null;
    room -= text.length;
    return text;
  };
  const entries = new Map(files.map((entry) => [entry.name, entry]));
  const tabs = fileTabs.tabs.map((tab, at): KeptTab => {
    const entry = entries.get(tab.name);
    const read = tab.text === null && entry ? readBefore(entry) : null;
    const { name, title, cursor } = tab;
    const inputs = keptInputs(read?.inputs ?? tab.inputs);
    const text = at === selected ? "" : fitting(tab.text ?? read?.text);
    return { name, title, text, cursor, inputs };
  });
  const isTab = new Set(tabs.filter(({ text }) => text !== null).map(({ name }) => name));
  const listed = files.map((entry) => ({
    name: entry.name,
    text: isTab.has(entry.name) ? null : fitting(readBefore(entry)?.text),
  }));
  return {
    fileTabs: { tabs, selected, files: listed, dump: idOf(files), missing: fileTabs.missing ?? 0 },
  };
}

/** From now on works have the files above the editor. */
export function keepTabs(app: App): void {
  app.keptTabs = (fileTabs) => keptTabs(fileTabs, roomIn(app));
}

/**
 * The files of a work that is restored; `text`: that of the one that is shown. Files of other tabs'
 * inputs are with the dump.
 */
export function restoredTabs(
  app: App,
  fileTabs: NonNullable<Work["fileTabs"]>,
  text: string,
): FileTabs {
  keepTabs(app);
  const live = atHand.get(fileTabs.dump ?? "");
  const tabs = fileTabs.tabs.map((tab) => ({
    ...tab,
    inputs: tab.inputs.map((input) => ({ text: input.text, file: null })),
    history: null,
  }));
  if (live) return { tabs, selected: fileTabs.selected, files: live };
  const texts = new Map(fileTabs.tabs.map((tab) => [tab.name, tab.text]));
  texts.set(fileTabs.tabs[fileTabs.selected]?.name ?? "", text);
  const listed = fileTabs.files ?? [];
  const files = listed.flatMap((file): DumpEntry[] => {
    const kept = file.text ?? texts.get(file.name) ?? null;
    return kept === null ? [] : [entryOfText(file.name, kept)];
  });
  const there = new Set(files.map(({ name }) => name));
  const lost = listed.filter((file) => isShown(file) && !there.has(file.name));
  const shown = tabs[fileTabs.selected];
  const left = tabs.filter((tab) => tab.text !== null);
  const missing = (fileTabs.missing ?? 0) + lost.length;
  return { tabs: left, selected: shown ? left.indexOf(shown) : 0, files, missing };
}

/**
 * Reads the files that nobody has looked at yet, as many as can be kept: otherwise they would be
 * lost with the page.
 */
export async function readAhead(app: App): Promise<void> {
  const { fileTabs } = writable(app.state);
  const files = fileTabs.peek()?.files ?? [];
  let room = roomIn(app);
  let bytes = 0;
  for (const entry of files) {
    const now = fileTabs.peek();
    if (now?.files !== files) return;
    const known = now.tabs.find(({ name }) => name === entry.name)?.text ?? null;
    if (known !== null || isArray(entry) || !isShown(entry) || (entry.size ?? 0) > room) {
      room -= known?.length ?? 0;
      continue;
    }
    if (bytes > MOST_READ || room <= 0) break;
    // One that cannot be read says so when it is opened.
    const decoded = await readOnce(app, entry).catch(() => null);
    bytes += Math.max(entry.size ?? 0, decoded?.text.length ?? 0);
    room -= decoded && decoded.text.length <= room ? decoded.text.length : 0;
  }
  const now = fileTabs.peek();
  // What is kept has changed.
  if (now?.files === files) fileTabs.value = { ...now };
}

/** What a list of files says of those that are not there any more; "" for nothing. */
export const missingText = (fileTabs: FileTabs): string =>
  fileTabs.missing ? dumpWords.missing(fileTabs.missing) : "";
