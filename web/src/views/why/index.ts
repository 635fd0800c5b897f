/** Where the selected element comes from, and what was the first NaN, overflow or underflow. */
import { showView } from "../../app/actions";
import { always } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";
import { whySession } from "./session";

const id = "why";

export const why: View = {
  id,
  title: words.why.title,
  icon: "back",
  Component: lazy(async () => (await import("./WhyView")).WhyView),
  empty: words.why.empty,
  commands: [
    {
      id: "why-selected",
      label: words.why.command,
      keys: [],
      icon: "back",
      perform: (app) => {
        whySession(app).first.value = null;
        showView(app, id);
      },
      enabled: always,
    },
  ],
};
