/** What the commands of the graph do. Loaded with the first of them. */
import type { App } from "../../app/app";
import { isolateNamed } from "../../app/rewrites";
import { drawnNames, neighborhood, pathEnd, wholeProgram } from "./doing";
import type { CommandName } from "./kinds";
import { savePicture } from "./saving";
import { graphSession } from "./session";

export const perform: Readonly<Record<CommandName, (app: App) => void | Promise<void>>> = {
  show: () => undefined,
  neighborhood: (app) => neighborhood(app),
  whole: wholeProgram,
  expand: (app) => graphSession(app).picture?.toggle(),
  closeAll: (app) => {
    graphSession(app).open.value = [];
  },
  fit: (app) => graphSession(app).picture?.fit(),
  pathFrom: (app) => pathEnd(app, "from"),
  pathTo: (app) => pathEnd(app, "to"),
  allPaths: (app) => {
    const { path } = graphSession(app);
    path.value = { ...path.value, all: !path.value.all };
  },
  extract: async (app) => {
    const model = graphSession(app).shown.value?.model;
    if (model) await isolateNamed(app, drawnNames(model));
  },
  svg: (app) => savePicture(app, "svg"),
  png: (app) => savePicture(app, "png"),
  dot: (app) => savePicture(app, "dot"),
};
