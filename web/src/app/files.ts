/** Files that are dropped on the page, or chosen: programs, and arrays for their inputs. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { openProgram } from "./opening";

const MAX_TEXT_FILE = 64 * 1024 * 1024;

/** `parameter`: the one that the file is for, where the person says so. */
export async function openFile(
  app: App,
  file: File,
  parameter: number | null = null,
): Promise<void> {
  if (parameter !== null || /\.npy$/i.test(file.name)) {
    const { takeArray } = await import("./arrays");
    return takeArray(app, file, parameter);
  }
  if (file.size > MAX_TEXT_FILE) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  const undo = openProgram(app, { text: await file.text() });
  notify(app, words.app.opened(file.name), "info", { label: words.app.undo, act: undo });
}

/** Lets the person choose a file. */
export function chooseFile(app: App): void {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) openFile(app, file).catch((error: Error) => notify(app, error.message, "error"));
  });
  input.click();
}
