/** What is made of the program: the other dialect, its plan, the code of its loops. */
import { createElement } from "preact";
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { KINDS, type Kind, otherDialect } from "./kinds";
import { dialectSession } from "./session";

const id = "dialect";
const isShown = (app: App): boolean => app.state.view.value === id;

const shows = (app: App, kind: Kind): boolean =>
  isShown(app) && dialectSession(app).kind.value === kind;

function show(app: App, kind: Kind): void {
  dialectSession(app).kind.value = kind;
  showView(app, id);
}

/** Shows the other dialect, and then again what was there before. */
function toggle(app: App): void {
  const session = dialectSession(app);
  if (shows(app, "dialect")) {
    showView(app, session.before);
    return;
  }
  if (!isShown(app)) session.before = app.state.view.value;
  show(app, "dialect");
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
    pressed: (app) => shows(app, "dialect"),
  },
  ...(["plan", "code"] as const).map(
    (kind): Command => ({
      id: `show-${kind}`,
      label: words.commands.show[kind],
      keys: [],
      icon: "outline",
      perform: (app) => show(app, kind),
      enabled: always,
    }),
  ),
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
    enabled: (app) => shows(app, "dialect") && dialectSession(app).shown.value !== null,
  },
];

export const dialect: View = {
  id,
  title: words.dialect.title,
  tab: (app) => {
    const kind = dialectSession(app).kind.value;
    return words.dialect.names[
      kind === "dialect" ? otherDialect(app.state.check.value?.kind) : kind
    ];
  },
  icon: "swap",
  Component: lazy(async () => {
    const { DialectView } = await import("./DialectView");
    return ({ app }: { app: App }) =>
      createElement(DialectView, { app, session: dialectSession(app) });
  }),
  empty: words.dialect.empty,
  start: (app) => dialectSession(app).start(app),
  opensFor: ["plan"],
  shownFor: (app) => {
    dialectSession(app).kind.value = "plan";
  },
  link: [
    linkField({
      key: "text",
      default: "dialect",
      parse: oneOf(KINDS),
      print: String,
      of: (app) => dialectSession(app).kind,
    }),
  ],
  commands,
  pointer: (app) => dialectSession(app).pointer("program"),
};
