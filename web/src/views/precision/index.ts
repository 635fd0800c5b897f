/** How far every value is from that of a more precise run, and which instructions errors come from. */
import { type OtherProgram, readOther, writeOther } from "../../app/other_program";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, oneOf, type View } from "../view";
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

/** A list of texts; null for anything else. */
function readTexts(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}

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
      parse: (text) => {
        const [seed = "", products = "", ...inputs] = readTexts(text) ?? [];
        return { seed, products, inputs };
      },
      print: ({ seed, products, inputs }) => JSON.stringify([seed, products, ...inputs]),
      of: (app) => precisionSession(app).run,
      isText: true,
    }),
    linkField<Expected[]>({
      key: "expected",
      default: [NO_EXPECTED],
      parse: (text) => {
        const list = readTexts(text) ?? [];
        return list.flatMap((element, i) =>
          i % 2 ? [] : [{ ...NO_EXPECTED, element, text: list[i + 1] ?? "" }],
        );
      },
      // Files are not in links.
      print: (all) => JSON.stringify(all.flatMap(({ element, text }) => [element, text])),
      of: (app) => precisionSession(app).expected,
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
