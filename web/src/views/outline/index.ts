/** The program as a tree. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import { outlineSession } from "./session";

export const outline: View = {
  id: "outline",
  title: words.outline.title,
  icon: "outline",
  Component: lazy(async () => (await import("./OutlineView")).OutlineView),
  empty: words.outline.empty,
  showsOutline: true,
  link: [
    linkField({
      key: "in-outline",
      default: "",
      parse: String,
      print: String,
      of: (app) => outlineSession(app).filter,
    }),
  ],
};
