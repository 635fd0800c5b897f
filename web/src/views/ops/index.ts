/** The reference of all operations. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import { opsSession } from "./session";

export const ops: View = {
  id: "ops",
  title: words.ops.title,
  icon: "ops",
  Component: lazy(async () => (await import("./OpsView")).OpsView),
  empty: words.ops.empty,
  link: [
    linkField({
      key: "op",
      default: "",
      parse: String,
      print: String,
      of: (app) => opsSession(app).filter,
    }),
  ],
};
