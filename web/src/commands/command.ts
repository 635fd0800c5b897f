import type { App } from "../app/app";
import type { IconName } from "../ui/Icon";

/** What the page can do: a toolbar button, an entry of the palette, a key and a line in the help. */
export interface Command {
  id: string;
  label: string;
  /** The first is shown; all work. */
  keys: readonly string[];
  icon?: IconName;
  /** Works only where a key is not text: "?" in the editor is a letter. */
  outsideText?: boolean;
  /** Has a button in the toolbar where that is wide; the frame of the page places some others. */
  inWideToolbar?: boolean;
  /** Is in the menu about how the program is shown. */
  inTextMenu?: boolean;
  perform(app: App): void | Promise<void>;
  enabled(app: App): boolean;
  /** Of a switch: whether it is on. */
  pressed?(app: App): boolean;
}

export const always = (): boolean => true;
