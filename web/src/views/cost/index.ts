/** What every instruction costs by a model, what bounds it on a machine, and what could be saved. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import {
  costSession,
  type MachineChoice,
  parseMachine,
  parseSorting,
  printMachine,
  printSorting,
  type Sorting,
  USUAL_MACHINE,
} from "./session";

export const cost: View = {
  id: "cost",
  title: words.cost.title,
  icon: "cost",
  Component: lazy(async () => (await import("./CostView")).CostView),
  empty: words.cost.empty,
  link: [
    linkField<MachineChoice>({
      key: "machine",
      default: { id: USUAL_MACHINE },
      parse: parseMachine,
      print: printMachine,
      of: (app) => costSession(app).machine,
    }),
    linkField<Sorting>({
      key: "sort",
      default: { by: "time", ascending: false },
      parse: parseSorting,
      print: printSorting,
      of: (app) => costSession(app).sorting,
    }),
  ],
};
