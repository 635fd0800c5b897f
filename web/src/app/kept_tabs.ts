/** The files above the editor as a work keeps them. */
import type { App } from "./app";
import type { FileTabs } from "./state";
import { type KeptTab, keptInputs, type Work } from "./work";

/** More characters of other files are not kept with a work. */
const MOST_KEPT_TEXT = 8 * 1024 * 1024;

/** The files beside the text that have been shown, as far as there is room. */
export function keptTabs(fileTabs: FileTabs | null): Pick<Work, "fileTabs"> {
  if (!fileTabs) return {};
  let room = MOST_KEPT_TEXT;
  const tabs: KeptTab[] = [];
  let selected = 0;
  fileTabs.tabs.forEach((tab, at) => {
    const isShown = at === fileTabs.selected;
    if (isShown) selected = tabs.length;
    else if (tab.text === null || tab.text.length > room) return;
    const text = isShown ? "" : (tab.text ?? "");
    room -= text.length;
    const { name, title, cursor } = tab;
    tabs.push({ name, title, text, cursor, inputs: keptInputs(tab.inputs) });
  });
  return { fileTabs: { tabs, selected } };
}

/** The same, of a work that is restored. Files of other tabs' inputs are with the dump. */
export function restoredTabs(app: App, fileTabs: NonNullable<Work["fileTabs"]>): FileTabs {
  app.keptTabs = keptTabs;
  const tabs = fileTabs.tabs.map((tab) => ({
    ...tab,
    inputs: tab.inputs.map(({ text }) => ({ text, file: null })),
    history: null,
  }));
  return { tabs, selected: fileTabs.selected, files: [] };
}
