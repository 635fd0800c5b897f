/**
 * The commands: one entry here gives the toolbar button, the palette entry, the key and the line in
 * the help. They are the only way in which keys and buttons change the state.
 */
import {
  cancelRun,
  formatProgram,
  goToDefinition,
  notify,
  run,
  showView,
  typeShape,
} from "../app/actions";
import type { App } from "../app/app";
import { copyLink } from "../app/share";
import { applyTheme } from "../app/theme";
import { words } from "../strings";
import type { IconName } from "../ui/Icon";
import { views } from "../views/registry";

export interface Command {
  id: string;
  label: string;
  /** The first is shown; all work. */
  keys: readonly string[];
  icon?: IconName;
  /** Works only where a key is not text: "?" in the editor is a letter. */
  outsideText?: boolean;
  perform(app: App): void | Promise<void>;
  enabled(app: App): boolean;
}

const always = (): boolean => true;
const w = words.commands;

const fixed: readonly Command[] = [
  {
    id: "run",
    label: w.run,
    keys: ["Mod-Enter"],
    icon: "run",
    perform: run,
    enabled: always,
  },
  {
    id: "cancel",
    label: w.cancel,
    keys: ["Escape"],
    icon: "stop",
    perform: cancelRun,
    enabled: (app) => app.state.phase.value === "running",
  },
  {
    id: "examples",
    label: w.examples,
    keys: [],
    icon: "book",
    perform: (app) => {
      app.state.overlay.value = "examples";
    },
    enabled: always,
  },
  {
    id: "format",
    label: w.format,
    keys: ["Alt-Shift-f"],
    icon: "format",
    perform: formatProgram,
    enabled: (app) => app.state.check.value?.ok ?? false,
  },
  {
    id: "copy-link",
    label: w.copyLink,
    keys: ["Mod-s"],
    icon: "link",
    perform: copyLink,
    enabled: always,
  },
  {
    id: "palette",
    label: w.palette,
    keys: ["Mod-k"],
    icon: "command",
    perform: (app) => {
      app.state.overlay.value = "palette";
    },
    enabled: always,
  },
  {
    id: "theme",
    label: w.theme,
    keys: [],
    icon: "auto",
    perform: (app) => {
      const { theme } = app.state;
      theme.value =
        theme.value === "system" ? "light" : theme.value === "light" ? "dark" : "system";
      applyTheme(app);
      notify(app, w.themes[theme.value]);
    },
    enabled: always,
  },
  {
    id: "help",
    label: w.help,
    keys: ["?", "F1"],
    icon: "help",
    outsideText: true,
    perform: (app) => {
      app.state.overlay.value = "help";
    },
    enabled: always,
  },
  {
    id: "find",
    label: w.find,
    keys: ["Mod-f"],
    perform: (app) => app.editor?.find(),
    enabled: always,
  },
  {
    id: "definition",
    label: w.definition,
    keys: ["F12"],
    perform: (app) => goToDefinition(app, false),
    enabled: always,
  },
  {
    id: "uses",
    label: w.uses,
    keys: ["Shift-F12"],
    perform: (app) => goToDefinition(app, true),
    enabled: always,
  },
  {
    id: "rename",
    label: w.rename,
    keys: ["F2"],
    perform: (app) => {
      app.state.overlay.value = "rename";
    },
    enabled: (app) => app.state.place.value?.definition != null,
  },
  {
    id: "next-fault",
    label: w.nextFault,
    keys: ["F8"],
    perform: (app) => nextFault(app, false),
    enabled: always,
  },
  {
    id: "previous-fault",
    label: w.previousFault,
    keys: ["Shift-F8"],
    perform: (app) => nextFault(app, true),
    enabled: always,
  },
  {
    id: "follow-cursor",
    label: w.followCursor,
    keys: [],
    perform: (app) => {
      typeShape(app, null);
      showView(app, "layout");
    },
    enabled: always,
  },
  {
    id: "focus-editor",
    label: w.focusEditor,
    keys: [],
    perform: (app) => {
      app.state.part.value = "program";
      app.editor?.focus();
    },
    enabled: always,
  },
];

function nextFault(app: App, backwards: boolean): void {
  if (app.state.check.value?.diagnostics.length === 0) {
    notify(app, words.editor.noFaults);
    return;
  }
  app.editor?.nextFault(backwards);
  app.editor?.focus();
}

export const commands: readonly Command[] = [
  ...fixed,
  ...views.map((view, i) => ({
    id: `view-${view.id}`,
    label: w.showView(view.title),
    keys: [`Alt-${i + 1}`],
    perform: (app: App) => showView(app, view.id),
    enabled: always,
  })),
];

export function findCommand(id: string): Command | null {
  return commands.find((command) => command.id === id) ?? null;
}

export function perform(app: App, command: Command): void {
  if (!command.enabled(app)) return;
  Promise.resolve(command.perform(app)).catch((error: unknown) => {
    notify(app, error instanceof Error ? error.message : String(error), "error");
  });
}
