/** The program as a graph. */
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { COLOURS, type CommandName } from "./kinds";
import { graphSession, leaveGraph } from "./session";

const id = "graph";
const hasPicture = (app: App): boolean =>
  app.state.view.value === id && graphSession(app).shown.value !== null;
const hasSelected = (app: App): boolean => app.state.focus.value.name !== "";

/** What they do is fetched when somebody asks for it; `shows`: in this view, wherever they are. */
const command = (name: CommandName, enabled: Command["enabled"], shows = false): Command => ({
  id: `graph-${name}`,
  label: words.graph.commands[name],
  keys: [],
  icon: "graph",
  aboutSelection: shows,
  perform: async (app) => {
    if (shows) showView(app, id);
    const { perform } = await import("./commands");
    await perform[name](app);
  },
  enabled,
});

const commands: readonly Command[] = [
  command("show", always, true),
  command("neighborhood", hasSelected, true),
  command("pathFrom", hasSelected, true),
  command("pathTo", hasSelected, true),
  ...(
    ["allPaths", "whole", "expand", "closeAll", "fit", "extract", "svg", "png", "dot"] as const
  ).map((name) => command(name, hasPicture)),
];

const MOST_OPEN = 100;
/** In a link: every box was closed. The id of a box has a slash. */
const NONE_OPEN = "none";
const MOST_STEPS = 100;

export const graph: View = {
  id,
  title: words.graph.title,
  icon: "graph",
  Component: lazy(async () => (await import("./GraphView")).GraphView),
  explainsMarks: true,
  empty: words.graph.empty,
  showsRun: (app) => graphSession(app).colour.peek() === "time",
  leave: (app) => leaveGraph(graphSession(app)),
  link: [
    linkField<readonly string[] | null>({
      key: "open",
      default: null,
      parse: (text) => {
        if (text === NONE_OPEN) return [];
        const ids = text.split("|").filter(Boolean).slice(0, MOST_OPEN);
        return ids.length > 0 ? ids : null;
      },
      print: (ids) => (ids ? ids.slice(0, MOST_OPEN).join("|") || NONE_OPEN : ""),
      of: (app) => graphSession(app).open,
    }),
    linkField({
      key: "steps",
      default: -1,
      parse: (text) => (/^\d{1,3}$/.test(text) ? Math.min(MOST_STEPS, Number(text)) : null),
      print: String,
      of: (app) => graphSession(app).radius,
    }),
    linkField({
      key: "colour",
      default: "class",
      parse: oneOf(COLOURS),
      print: String,
      of: (app) => graphSession(app).colour,
    }),
    linkField({
      key: "constants",
      default: true,
      parse: (text) => (text === "boxes" ? false : null),
      print: (folds) => (folds ? "" : "boxes"),
      of: (app) => graphSession(app).fold,
    }),
    linkField({
      key: "root",
      default: "",
      parse: (text) => text.slice(0, 300),
      print: String,
      of: (app) => graphSession(app).root,
    }),
  ],
  commands,
};
