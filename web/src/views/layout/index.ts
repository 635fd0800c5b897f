/** How a shape lies in memory. */
import { createElement } from "preact";
import { showView, typeShape } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";
import { canExport, exportLayout, layoutExports } from "./exports";
import { step } from "./film";
import { linkFields } from "./link";
import { layoutSessions, startSessions } from "./sessions";

const id = "layout";
const isShown = (app: App): boolean => app.state.view.value === id;
const isFilmShown = (app: App): boolean => isShown(app) && layoutSessions(app).film.open.value;

/** Opens the film, also from another view; closes it where it is shown. */
function toggleFilm(app: App): void {
  const { open } = layoutSessions(app).film;
  open.value = !isShown(app) || !open.value;
  showView(app, id);
}

const commands: readonly Command[] = [
  {
    id: "film",
    label: words.layout.film.open,
    keys: [],
    icon: "film",
    perform: toggleFilm,
    enabled: always,
  },
  {
    id: "film-next",
    label: words.layout.film.next,
    keys: ["]"],
    outsideText: true,
    perform: (app) => step(layoutSessions(app).film, 1),
    enabled: isFilmShown,
  },
  {
    id: "film-previous",
    label: words.layout.film.previous,
    keys: ["["],
    outsideText: true,
    perform: (app) => step(layoutSessions(app).film, -1),
    enabled: isFilmShown,
  },
  {
    id: "follow-cursor",
    label: words.commands.followCursor,
    keys: [],
    perform: (app) => {
      typeShape(app, null);
      showView(app, id);
    },
    enabled: always,
  },
  ...layoutExports.map(
    (what): Command => ({
      id: what.id,
      label: words.layout.exportOf(what.label),
      keys: [],
      icon: "save",
      perform: (app) => exportLayout(app, layoutSessions(app), what),
      enabled: (app) => isShown(app) && canExport(layoutSessions(app)),
    }),
  ),
];

export const layout: View = {
  id,
  title: words.layout.title,
  icon: "layout",
  Component: lazy(async () => {
    const { LayoutView } = await import("./LayoutView");
    return ({ app }: { app: App }) => createElement(LayoutView, { app, ...layoutSessions(app) });
  }),
  empty: words.layout.empty,
  opensFor: ["layout"],
  start: startSessions,
  link: linkFields,
  commands,
};
