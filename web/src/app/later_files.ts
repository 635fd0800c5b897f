/** Opening of files, whose code is fetched when there is one. */
import { notify } from "./actions";
import type { App } from "./app";

type Files = typeof import("./files");

export function withFiles(app: App, act: (files: Files) => Promise<void> | void): void {
  import("./files").then(act).catch((error: Error) => notify(app, error.message, "error"));
}

export const chooseFile = (app: App): void => withFiles(app, (files) => files.chooseFile(app));
export const chooseFolder = (app: App): void => withFiles(app, (files) => files.chooseFolder(app));

/** Takes what was dropped out of its event, which ends before the code comes. */
export function openDropped(app: App, data: DataTransfer, parameter: number | null): void {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const dropped = [...data.files];
  withFiles(app, (files) => files.openDropped(app, entries, dropped, parameter));
}
