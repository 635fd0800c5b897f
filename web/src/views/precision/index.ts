/** How far every value is from that of a more precise run, and which instructions errors come from. */
import { type OtherProgram, readOther, writeOther } from "../../app/other_program";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { ORDERS, type Order, precisionSession, REFERENCES, type Reference } from "./session";

export const precision: View = {
  id: "precision",
  title: words.precision.title,
  icon: "target",
  Component: lazy(async () => (await import("./PrecisionView")).PrecisionView),
  empty: words.precision.empty,
  link: [
    linkField<Reference>({
      key: "against",
      default: "f64",
      parse: oneOf(REFERENCES),
      print: String,
      of: (app) => precisionSession(app).reference,
    }),
    linkField<OtherProgram | null>({
      key: "reference",
      default: null,
      parse: readOther,
      print: writeOther,
      of: (app) => precisionSession(app).other,
      isText: true,
    }),
    linkField<Order>({
      key: "errors",
      default: "introduced",
      parse: oneOf(ORDERS),
      print: String,
      of: (app) => precisionSession(app).order,
    }),
  ],
};
