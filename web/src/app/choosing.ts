/** Lets a person choose a file with a program. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import type { OtherProgram } from "./other_program";

const MAX_TEXT_FILE = 64 * 1024 * 1024;

/** What a person chooses; nothing where they do not, and of files that are too large. */
export function chooseProgram(app: App, take: (other: OtherProgram) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    if (file.size > MAX_TEXT_FILE) {
      notify(app, words.app.fileTooLarge, "error");
      return;
    }
    file.text().then(
      (text) => take({ name: file.name, text }),
      (error: Error) => notify(app, error.message, "error"),
    );
  });
  input.click();
}
