/**
 * The commands: one entry here gives the toolbar button, the palette entry, the key and the line in
 * the help. They are the only way in which keys and buttons change the state.
 */
import type { Diagnostic } from "../../../wasm/engine_api";
import {
  adoptText,
  cancelRun,
  formatProgram,
  goToDefinition,
  notify,
  run,
  showView,
  typeShape,
} from "../app/actions";
import type { App } from "../app/app";
import { download, downloads } from "../app/download";
import { copyLink } from "../app/share";
import { applyTheme } from "../app/theme";
import { words } from "../strings";
import type { IconName } from "../ui/Icon";
import { canExport, exportLayout, layoutExports } from "../views/layout/exports";
import { step } from "../views/layout/film";
import { dialectSession, film, layoutSessions, views } from "../views/registry";

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
const filmShown = (app: App): boolean => app.state.view.value === "layout" && film.open.value;
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
    // Another text with a search of its own has the key.
    enabled: () => document.activeElement?.closest(".dialect-text") == null,
  },
  {
    id: "comment",
    label: w.comment,
    keys: ["Mod-/"],
    perform: (app) => app.editor?.toggleComment(),
    enabled: always,
  },
  {
    id: "other-dialect",
    label: w.otherDialect,
    keys: ["Alt-Shift-d"],
    icon: "swap",
    perform: toggleDialect,
    enabled: always,
  },
  {
    id: "adopt-dialect",
    label: w.adoptDialect,
    keys: [],
    icon: "next",
    perform: (app) => adoptText(app, dialectSession.shown.value?.result.text ?? ""),
    enabled: (app) => app.state.view.value === "dialect" && dialectSession.shown.value !== null,
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
    id: "fix",
    label: w.fix,
    keys: ["Mod-.", "Alt-Enter"],
    perform: fixNext,
    enabled: (app) => app.state.check.value?.diagnostics.some(hasFix) ?? false,
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
    id: "film",
    label: words.layout.film.open,
    keys: [],
    icon: "film",
    perform: (app) => {
      film.open.value = app.state.view.value !== "layout" || !film.open.value;
      showView(app, "layout");
    },
    enabled: always,
  },
  {
    id: "film-next",
    label: words.layout.film.next,
    keys: ["]"],
    outsideText: true,
    perform: () => step(film, 1),
    enabled: filmShown,
  },
  {
    id: "film-previous",
    label: words.layout.film.previous,
    keys: ["["],
    outsideText: true,
    perform: () => step(film, -1),
    enabled: filmShown,
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

/** The view that was shown before the other dialect was. */
let before = "values";

function toggleDialect(app: App): void {
  const { view } = app.state;
  const next = view.value === "dialect" ? before : "dialect";
  before = view.value;
  showView(app, next);
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
  ...layoutExports.map((what) => ({
    id: what.id,
    label: words.layout.exportOf(what.label),
    keys: [],
    icon: "save" as const,
    perform: (app: App) => exportLayout(app, layoutSessions, what),
    enabled: (app: App) => app.state.view.value === "layout" && canExport(layoutSessions),
  })),
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
