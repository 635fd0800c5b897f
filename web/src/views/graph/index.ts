/** The program as a graph. */
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { exportGraph, graphExports } from "./exports";
import { COLOURS } from "./kinds";
import { graphSession } from "./session";

const id = "graph";
const isShown = (app: App): boolean => app.state.view.value === id;
const hasPicture = (app: App): boolean => isShown(app) && graphSession(app).shown.value !== null;
const hasSelected = (app: App): boolean => app.state.focus.value.name !== "";

// What is fetched when somebody asks for it.
const doing = () => import("./doing");

interface Doing {
  id: string;
  label: string;
  perform(app: App): void | Promise<void>;
  enabled?(app: App): boolean;
}

const w = words.graph.commands;
const list: readonly Doing[] = [
  { id: "graph", label: w.show, perform: (app) => showView(app, id) },
  {
    id: "graph-neighborhood",
    label: w.neighborhood,
    perform: async (app) => {
      showView(app, id);
      (await doing()).neighborhood(app);
    },
    enabled: hasSelected,
  },
  {
    id: "graph-whole",
    label: w.whole,
    perform: async (app) => (await doing()).wholeProgram(app),
    enabled: hasPicture,
  },
  {
    id: "graph-expand",
    label: w.expand,
    perform: (app) => graphSession(app).picture?.toggle(),
    enabled: hasPicture,
  },
  {
    id: "graph-close-all",
    label: w.closeAll,
    perform: (app) => {
      graphSession(app).open.value = [];
    },
    enabled: hasPicture,
  },
  {
    id: "graph-fit",
    label: w.fit,
    perform: (app) => graphSession(app).picture?.fit(),
    enabled: hasPicture,
  },
  {
    id: "graph-path-from",
    label: w.pathFrom,
    perform: async (app) => {
      showView(app, id);
      (await doing()).pathEnd(app, "from");
    },
    enabled: hasSelected,
  },
  {
    id: "graph-path-to",
    label: w.pathTo,
    perform: async (app) => {
      showView(app, id);
      (await doing()).pathEnd(app, "to");
    },
    enabled: hasSelected,
  },
  {
    id: "graph-all-paths",
    label: w.allPaths,
    perform: (app) => {
      const { path } = graphSession(app);
      path.value = { ...path.value, all: !path.value.all };
    },
    enabled: (app) => {
      const { from, to } = graphSession(app).path.value;
      return hasPicture(app) && from !== null && to !== null;
    },
  },
  {
    id: "graph-extract",
    label: w.extract,
    perform: async (app) => {
      const model = graphSession(app).shown.value?.model;
      if (!model) return;
      const { isolateNamed } = await import("../../app/rewrites");
      await isolateNamed(app, (await doing()).drawnNames(model));
    },
    enabled: hasPicture,
  },
];

const commands: readonly Command[] = [
  ...list.map((each): Command => ({ keys: [], icon: "graph", enabled: always, ...each })),
  ...graphExports.map(
    (what): Command => ({
      id: what.id,
      label: words.graph.exportOf(what.label),
      keys: [],
      icon: "save",
      perform: (app) => exportGraph(app, graphSession(app), what),
      enabled: hasPicture,
    }),
  ),
];

const MOST_OPEN = 100;
const MOST_STEPS = 100;

export const graph: View = {
  id,
  title: words.graph.title,
  icon: "graph",
  Component: lazy(async () => (await import("./GraphView")).GraphView),
  empty: words.graph.empty,
  link: [
    linkField<readonly string[]>({
      key: "open",
      default: [],
      parse: (text) => text.split("|").filter(Boolean).slice(0, MOST_OPEN),
      print: (ids) => ids.slice(0, MOST_OPEN).join("|"),
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
