/** The program as a tree. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";
import "./outline.css";

export const outline: View = {
  id: "outline",
  title: words.outline.title,
  icon: "outline",
  Component: lazy(async () => (await import("./OutlineView")).OutlineView),
  empty: words.outline.empty,
  showsOutline: true,
};
