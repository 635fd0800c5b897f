/** Files that are dropped on the page, or chosen: programs, dumps, and arrays or rows of numbers for inputs. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { openProgram } from "./opening";

const MAX_TEXT_FILE = 64 * 1024 * 1024;

/** Names of archives and of protocol buffers. */
const DUMP = /\.(zip|gz|tgz|tar|pb|pbtxt|textproto|textpb)$/i;

/** Whether a file is more than a text: its name says so, or its first bytes. */
async function isDump(file: File): Promise<boolean> {
  if (DUMP.test(file.name)) return true;
  const head = new Uint8Array(await file.slice(0, 512).arrayBuffer());
  return head.includes(0) || (head[0] === 0x1f && head[1] === 0x8b);
}

/** `parameter`: the one that the file is for, where the person says so. */
export async function openFile(
  app: App,
  file: File,
  parameter: number | null = null,
): Promise<void> {
  if (/\.npz$/i.test(file.name)) {
    const { takeArrays } = await import("./npz");
    return takeArrays(app, file, parameter);
  }
  const isBinary = await isDump(file);
  const takeArray = async (): Promise<void> =>
    (await import("./arrays")).takeArray(app, file, parameter);
  if (/\.npy$/i.test(file.name) || (parameter !== null && isBinary)) return takeArray();
  if (isBinary) return openFiles(app, [file]);
  if (file.size > MAX_TEXT_FILE) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  const opened = { name: file.name, text: await file.text() };
  const { isTable, takeNumbers, whyNoProgram } = await import("./numbers");
  if (await takeNumbers(app, opened, parameter)) return;
  if (parameter !== null && !isTable(file.name)) return takeArray();
  const why = await whyNoProgram(app, opened);
  if (why !== null) {
    notify(app, why, "error");
    return;
  }
  const undo = openProgram(app, { text: opened.text });
  notify(app, words.app.opened(file.name), "info", { label: words.app.undo, act: undo });
}

/** Several files, or one that holds others. */
async function openFiles(app: App, files: readonly File[]): Promise<void> {
  const [{ openDump }, { entryOf }] = await Promise.all([import("./dumps"), import("./decoding")]);
  await openDump(app, files.map(entryOf));
}

/** What was dropped: files, and folders where the browser tells them apart. */
export async function openDropped(
  app: App,
  entries: readonly (FileSystemEntry | null)[],
  files: readonly File[],
  parameter: number | null,
): Promise<void> {
  const [file] = files;
  if (entries.some((entry) => entry?.isDirectory)) {
    const { openDump, walk } = await import("./dumps");
    return openDump(app, await walk(entries));
  }
  if (files.length > 1) return openFiles(app, files);
  if (file) return openFile(app, file, parameter);
}

function choose(app: App, prepare: (input: HTMLInputElement) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  prepare(input);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    const [file] = files;
    const opening = files.length === 1 && file ? openFile(app, file) : openFiles(app, files);
    opening.catch((error: Error) => notify(app, error.message, "error"));
  });
  input.click();
}

/** Lets the person choose files. */
export function chooseFile(app: App): void {
  choose(app, (input) => {
    input.multiple = true;
  });
}

/** Lets the person choose a folder. */
export function chooseFolder(app: App): void {
  choose(app, (input) => {
    input.webkitdirectory = true;
  });
}
