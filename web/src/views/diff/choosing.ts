/** Lets a person choose the program that theirs is compared with. */
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { compareSession } from "./session";

const MAX_TEXT_FILE = 64 * 1024 * 1024;

async function take(app: App, file: File): Promise<void> {
  if (file.size > MAX_TEXT_FILE) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  compareSession(app).compareWith({ name: file.name, text: await file.text() });
}

export function chooseOther(app: App, then: () => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (!file) return;
    take(app, file).then(then, (error: Error) => notify(app, error.message, "error"));
  });
  input.click();
}
