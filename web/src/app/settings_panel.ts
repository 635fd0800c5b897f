/** Whether the settings of a run are open: their button shows it, and a command opens them. */
import { signal } from "@preact/signals";
import { perPage } from "./app";

export const settingsOpen = perPage(() => signal(false));
