/** Files dropped on the page. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { openProgram } from "./opening";

const MAX_TEXT_FILE = 64 * 1024 * 1024;

export async function openFile(app: App, file: File): Promise<void> {
  if (file.size > MAX_TEXT_FILE) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  openProgram(app, { text: await file.text() });
  notify(app, words.app.opened(file.name));
}
