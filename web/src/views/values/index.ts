/** Every value of the last run. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import { MODES, valuesSession } from "./session";
import "./values.css";

export const values: View = {
  id: "values",
  title: words.values.title,
  icon: "values",
  Component: lazy(async () => (await import("./ValuesView")).ValuesView),
  empty: words.values.empty,
  opensFor: ["run"],
  link: [
    linkField({
      key: "as",
      default: "grid",
      parse: (text) => MODES.find((mode) => mode === text) ?? null,
      print: String,
      of: (app) => valuesSession(app).mode,
      stays: true,
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
