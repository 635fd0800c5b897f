/** Lets a person choose a file with a program: a text, or what the page can open as one. */
import { notify } from "./actions";
import type { App } from "./app";
import { decode, entryOf } from "./decoding";
import type { OtherProgram } from "./other_program";

/** What a person chooses; nothing where they do not, and of files that cannot be read. */
export function chooseProgram(app: App, take: (other: OtherProgram) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    decode(app, entryOf(file)).then(
      ({ text }) => take({ name: file.name, text }),
      (error: Error) => notify(app, error.message, "error"),
    );
  });
  input.click();
}
