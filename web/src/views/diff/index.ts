/** The program beside another one: before and after a pass, or an edit. */
import { notify, showView } from "../../app/actions";
import type { App } from "../../app/app";
import { readOther, writeOther } from "../../app/other_program";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { compareSession, SIDES, type Sides, SUBJECTS, type Subject } from "./session";

const id = "diff";

/** Keeps the program as it is now, to compare later ones with it. */
function remember(app: App): void {
  const text = app.editor?.text() ?? app.state.text.peek();
  const { fileTabs } = app.state;
  const title = fileTabs.peek()?.tabs[fileTabs.peek()?.selected ?? 0]?.title;
  const name = (title ? `${title}, ` : "") + words.compare.earlier;
  compareSession(app).compareWith({ name, text });
  notify(app, words.compare.remembered, "info", {
    label: words.compare.show,
    act: () => showView(app, id),
  });
}

const commands: readonly Command[] = [
  {
    id: "compare-remember",
    label: words.compare.remember,
    keys: [],
    icon: "pin",
    perform: remember,
    enabled: (app) => app.state.text.value !== "",
  },
  {
    id: "compare-open",
    label: words.compare.open,
    keys: [],
    icon: "file",
    perform: async (app) => {
      const { chooseOther } = await import("./choosing");
      chooseOther(app, () => showView(app, id));
    },
    enabled: always,
  },
  {
    id: "show-passes",
    label: words.compare.passes,
    keys: [],
    icon: "compare",
    perform: (app) => {
      compareSession(app).subject.value = "passes";
      showView(app, id);
    },
    enabled: always,
  },
];

export const diff: View = {
  id,
  title: words.compare.title,
  icon: "compare",
  Component: lazy(async () => (await import("./CompareView")).CompareView),
  empty: words.compare.empty,
  link: [
    linkField({
      key: "before",
      default: null,
      parse: readOther,
      print: writeOther,
      of: (app) => {
        const { before, opened, compareWith } = compareSession(app);
        return {
          get value() {
            return before.value ?? opened.value;
          },
          set value(other) {
            compareWith(other);
          },
        };
      },
      isText: true,
    }),
    linkField<Subject>({
      key: "with",
      default: "program",
      parse: oneOf(SUBJECTS),
      print: String,
      of: (app) => compareSession(app).subject,
    }),
    linkField<string>({
      key: "pass",
      default: "",
      parse: (text) => (/^[\w-]{1,40}$/.test(text) ? text : null),
      print: String,
      of: (app) => compareSession(app).pass,
    }),
    linkField<readonly string[]>({
      key: "skip",
      default: [],
      parse: (text) => (/^[\w,-]{1,400}$/.test(text) ? text.split(",") : null),
      print: (names) => names.join(","),
      of: (app) => compareSession(app).skipped,
    }),
    linkField<Sides>({
      key: "sides",
      default: "texts",
      parse: oneOf(SIDES),
      print: String,
      of: (app) => compareSession(app).sides,
    }),
  ],
  commands,
};
