/** The program in the other dialect. */
import { createElement } from "preact";
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";
import { dialectSession, otherDialect } from "./session";

const id = "dialect";
const isShown = (app: App): boolean => app.state.view.value === id;

/** Shows the other dialect, and then again what was there before. */
function toggle(app: App): void {
  const session = dialectSession(app);
  const next = isShown(app) ? session.before : id;
  session.before = app.state.view.value;
  showView(app, next);
}

const commands: readonly Command[] = [
  {
    id: "other-dialect",
    label: words.commands.otherDialect,
    keys: ["Alt-Shift-d"],
    icon: "swap",
    inWideToolbar: true,
    perform: toggle,
    enabled: always,
    pressed: isShown,
  },
  {
    id: "adopt-dialect",
    label: words.commands.adoptDialect,
    keys: [],
    icon: "next",
    perform: async (app) =>
      (await import("../../app/editing")).adoptText(
        app,
        dialectSession(app).shown.value?.result.text ?? "",
      ),
    enabled: (app) => isShown(app) && dialectSession(app).shown.value !== null,
  },
];

export const dialect: View = {
  id,
  title: words.dialect.title,
  tab: (app) => words.dialect.names[otherDialect(app.state.check.value?.kind)],
  icon: "swap",
  Component: lazy(async () => {
    const { DialectView } = await import("./DialectView");
    return ({ app }: { app: App }) =>
      createElement(DialectView, { app, session: dialectSession(app) });
  }),
  empty: words.dialect.empty,
  start: (app) => dialectSession(app).start(app),
  commands,
  pointer: (app) => dialectSession(app).pointer("program"),
};
