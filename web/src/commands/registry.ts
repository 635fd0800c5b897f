/** The commands: those of the page, defined here, and those that views provide. */
import type { Diagnostic } from "../../../wasm/engine_api";
import {
  cancelRun,
  notify,
  openOverlay,
  say,
  showPart,
  showView,
  tellFailure,
} from "../app/actions";
import type { App } from "../app/app";
import { download, downloads } from "../app/download";
import { chooseFile, chooseFolder } from "../app/later_files";
import { runInFront } from "../app/run_in_front";
import { settingsOpen } from "../app/settings_panel";
import { copyLink } from "../app/share";
import { changeTaste, type FoldKind, toggleFolded } from "../app/taste";
import { changeTheme } from "../app/theme";
import { words } from "../strings";
import { views } from "../views/registry";
import { always, type Command } from "./command";

const w = words.commands;

// What is fetched when somebody asks for it.
const editing = () => import("../app/editing");

/** What goes together in the menu, by the kinds that the engine tells apart. */
const FOLDED: Readonly<Record<keyof typeof words.editor.folds, readonly FoldKind[]>> = {
  metadata: ["metadata"],
  config: ["config"],
  layout: ["layout"],
  attribute: ["attribute", "literal"],
};

const foldCommands = Object.entries(FOLDED).map(
  ([id, kinds]): Command => ({
    id: `fold-${id}`,
    label: w.fold(words.editor.folds[id as keyof typeof FOLDED]),
    keys: [],
    inTextMenu: true,
    perform: (app) => toggleFolded(app, kinds),
    enabled: always,
    pressed: (app) => kinds.every((kind) => app.state.taste.value.folded.includes(kind)),
  }),
);

function unfoldAll(app: App): void {
  changeTaste(app, { folded: [] });
  app.editor?.unfoldAll();
}

const fixed: readonly Command[] = [
  {
    id: "run",
    label: w.run,
    keys: ["Mod-Enter"],
    icon: "run",
    perform: runInFront,
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
    id: "open",
    label: w.open,
    keys: ["Mod-o"],
    icon: "file",
    perform: chooseFile,
    enabled: always,
  },
  {
    id: "open-folder",
    label: w.openFolder,
    keys: [],
    icon: "folder",
    inWideToolbar: true,
    perform: chooseFolder,
    enabled: always,
  },
  {
    id: "examples",
    label: w.examples,
    keys: [],
    icon: "book",
    perform: (app) => openOverlay(app, "examples"),
    enabled: always,
  },
  {
    id: "format",
    label: w.format,
    keys: ["Alt-Shift-f"],
    icon: "format",
    inWideToolbar: true,
    perform: async (app) => (await editing()).formatProgram(app),
    enabled: (app) => app.state.check.value?.ok ?? false,
  },
  {
    id: "shrink",
    label: w.shrink,
    keys: [],
    perform: async (app) => (await import("../app/rewrites")).shrinkProgram(app),
    enabled: (app) => app.state.check.value?.ok ?? false,
  },
  {
    id: "isolate",
    label: w.isolate,
    keys: [],
    aboutSelection: true,
    perform: async (app) => (await import("../app/rewrites")).isolate(app, "part"),
    enabled: (app) => app.state.check.value?.ok ?? false,
  },
  {
    id: "isolate-dependencies",
    label: w.isolateDependencies,
    keys: [],
    aboutSelection: true,
    perform: async (app) => (await import("../app/rewrites")).isolate(app, "dependencies"),
    enabled: (app) => app.state.check.value?.ok ?? false,
  },
  {
    id: "copy-link",
    label: w.copyLink,
    also: w.also.copyLink,
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
    perform: (app) => openOverlay(app, "palette"),
    enabled: always,
  },
  {
    id: "settings",
    label: words.inputs.settings,
    also: w.also.settings,
    keys: [],
    perform(app) {
      settingsOpen(app).value = true;
    },
    enabled: always,
  },
  {
    id: "theme",
    label: w.theme,
    also: w.also.theme,
    keys: [],
    icon: "auto",
    perform: changeTheme,
    enabled: always,
  },
  {
    id: "help",
    label: w.help,
    keys: ["?", "F1"],
    icon: "help",
    outsideText: true,
    perform: (app) => openOverlay(app, "help"),
    enabled: always,
  },
  {
    id: "bench",
    label: w.bench,
    keys: [],
    perform: () => void open("?bench"),
    enabled: always,
  },
  {
    id: "find",
    label: w.find,
    keys: ["Mod-f"],
    perform: (app) => app.editor?.find(),
    // A focused text with its own search handles the key.
    enabled: () => document.activeElement?.closest("[data-own-search]") == null,
  },
  {
    id: "comment",
    label: w.comment,
    keys: ["Mod-/"],
    perform: (app) => app.editor?.toggleComment(),
    enabled: always,
  },
  {
    id: "wrap",
    label: w.wrap,
    keys: ["Alt-z"],
    inTextMenu: true,
    perform: (app) => changeTaste(app, { wrap: !app.state.taste.peek().wrap }),
    enabled: always,
    pressed: (app) => app.state.taste.value.wrap,
  },
  ...foldCommands,
  {
    id: "fold-others",
    label: w.foldOthers,
    keys: [],
    inTextMenu: true,
    perform: (app) => app.editor?.foldOthers(),
    enabled: always,
  },
  {
    id: "unfold-all",
    label: w.unfoldAll,
    keys: [],
    inTextMenu: true,
    perform: unfoldAll,
    enabled: always,
  },
  {
    id: "go-to-entry",
    label: w.goToEntry,
    keys: ["Alt-e"],
    inTextMenu: true,
    perform: (app) => {
      showPart(app, "program");
      app.editor?.goToEntry();
    },
    enabled: always,
  },
  {
    id: "entry-first",
    label: w.entryFirst,
    keys: [],
    inTextMenu: true,
    perform: (app) => changeTaste(app, { entryFirst: !app.state.taste.peek().entryFirst }),
    enabled: always,
    pressed: (app) => app.state.taste.value.entryFirst,
  },
  {
    id: "definition",
    label: w.definition,
    keys: ["F12"],
    perform: (app) => editing().then(({ goToDefinition }) => goToDefinition(app, false)),
    enabled: always,
  },
  {
    id: "uses",
    label: w.uses,
    keys: ["Shift-F12"],
    perform: (app) => editing().then(({ goToDefinition }) => goToDefinition(app, true)),
    enabled: always,
  },
  {
    id: "rename",
    label: w.rename,
    keys: ["F2"],
    perform: (app) => openOverlay(app, "rename"),
    enabled: always,
  },
  {
    id: "fix",
    label: w.fix,
    keys: ["Mod-.", "Alt-Enter"],
    perform: fixNext,
    enabled: (app) => app.state.check.value?.diagnostics.some(hasFix) ?? false,
  },
  {
    id: "next-fault",
    label: w.nextFault,
    also: w.also.nextFault,
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
    id: "focus-editor",
    label: w.focusEditor,
    keys: [],
    perform: (app) => {
      showPart(app, "program");
      app.editor?.focus();
    },
    enabled: always,
  },
];

const hasFix = ({ fixes }: Diagnostic): boolean => fixes.length > 0;

function fixNext(app: App): void {
  const done = app.editor?.fix() ?? null;
  notify(app, done === null ? words.editor.noFix : words.editor.fixed(done));
  app.editor?.focus();
}

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
  ...downloads.map((what) => ({
    id: what.id,
    label: w.download(what.label),
    keys: [],
    icon: "save" as const,
    perform: (app: App) => download(app, what),
    enabled: (app: App) => app.state.check.value?.ok ?? false,
  })),
  ...views.flatMap((view) => view.commands ?? []),
  ...views.map((view, i) => ({
    id: `view-${view.id}`,
    label: w.showView(view.title),
    keys: i < 9 ? [`Alt-${i + 1}`] : [],
    perform(app: App) {
      showView(app, view.id);
      // The focus stays where it is.
      say(app, view.title);
    },
    enabled: always,
  })),
];

export function findCommand(id: string): Command | null {
  return commands.find((command) => command.id === id) ?? null;
}

export function perform(app: App, command: Command): void {
  if (!command.enabled(app)) return;
  const act = async (): Promise<void> => {
    if (command.aboutSelection) {
      app.editor?.report();
      await app.placed;
    }
    await command.perform(app);
  };
  tellFailure(app, act());
}
