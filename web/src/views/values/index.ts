/** Every value of the last run. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View, wholeNumber } from "../view";
import { MODES, parseIterations, printIterations, valuesSession } from "./session";

export const values: View = {
  id: "values",
  title: words.values.title,
  icon: "values",
  Component: lazy(async () => (await import("./ValuesView")).ValuesView),
  Detail: lazy(async () => (await import("./ValueDetail")).ValueDetail),
  explainsMarks: true,
  empty: words.values.empty,
  opensFor: ["run"],
  leave: (app) => {
    valuesSession(app).iterations.value = {};
  },
  link: [
    linkField({
      key: "device",
      default: 0,
      parse: wholeNumber(6),
      print: String,
      of: (app) => valuesSession(app).device,
    }),
    linkField({
      key: "iteration",
      default: {},
      parse: parseIterations,
      print: printIterations,
      of: (app) => valuesSession(app).iterations,
    }),
    linkField({
      key: "find",
      default: "",
      parse: (text) => text.slice(0, 200),
      print: String,
      of: (app) => valuesSession(app).filter,
    }),
    linkField({
      key: "as",
      default: "grid",
      parse: oneOf(MODES),
      print: String,
      of: (app) => valuesSession(app).mode,
      stays: true,
    }),
    linkField({
      key: "look",
      default: "",
      parse: (text) => text.slice(0, 300),
      print: String,
      of: (app) => valuesSession(app).look,
    }),
    linkField({
      key: "heat",
      default: false,
      parse: (text) => text === "1",
      print: (on) => (on ? "1" : ""),
      of: (app) => valuesSession(app).heat,
    }),
  ],
};
