/** How far every value is from that of a more precise run, and which instructions errors come from. */
import { type OtherProgram, readOther, writeOther } from "../../app/other_program";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
import { parseExpected, parseRun, printExpected, printRun } from "./linked";
import {
  type Expected,
  NO_EXPECTED,
  ORDERS,
  type Order,
  type OtherRun,
  precisionSession,
  REFERENCES,
  type Reference,
  SAME_RUN,
} from "./session";

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
    linkField<OtherRun>({
      key: "otherRun",
      default: SAME_RUN,
      parse: parseRun,
      print: printRun,
      of: (app) => precisionSession(app).run,
      isText: true,
    }),
    linkField<Expected[]>({
      key: "expected",
      default: [NO_EXPECTED],
      parse: parseExpected,
      print: printExpected,
      of: (app) => precisionSession(app).expected,
      isText: true,
    }),
    linkField<boolean>({
      key: "compared",
      default: false,
      parse: (text) => text === "1",
      print: (is) => (is ? "1" : "0"),
      of: (app) => precisionSession(app).compared,
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
