/** The reference of all operations. */
import { words } from "../../strings";
import { linkField, type View } from "../view";
import { OpsView } from "./OpsView";
import { opsSession } from "./session";
import "./ops.css";

export const ops: View = {
  id: "ops",
  title: words.ops.title,
  icon: "ops",
  Component: OpsView,
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
