import type { App } from "../app/app";
import type { IconName } from "../ui/Icon";

/** A command of the page: a toolbar button, a palette entry, a key and a line in the help. */
export interface Command {
  id: string;
  label: string;
  /** Words by which people look for it, beside those of the label. */
  also?: string;
  /** Keys: the first is shown; all work. */
  keys: readonly string[];
  icon?: IconName;
  /** Only works where typing the key does not insert text: "?" in the editor is a letter. */
  outsideText?: boolean;
  /** Has a button in the toolbar where that is wide; the page places some other commands itself. */
  inWideToolbar?: boolean;
  /** Is in the menu about how the program is shown. */
  inTextMenu?: boolean;
  /** Is about what is selected: waits until the engine has said what is at the cursor. */
  aboutSelection?: boolean;
  perform(app: App): void | Promise<void>;
  enabled(app: App): boolean;
  /** For a toggle: whether it is on. */
  pressed?(app: App): boolean;
}

export const always = (): boolean => true;
