/** Where the selected element comes from, and what was the first NaN, overflow or underflow. */
import { batch } from "@preact/signals";
import type { FirstKind } from "../../../../wasm/engine_api";
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { whySession } from "../../why/session";
import { linkField, oneOf, type View } from "../view";

const id = "why";

const FIRST_KINDS: readonly Exclude<FirstKind, "nan" | "inf">[] = [
  ...(["nonfinite", "overflow", "underflow", "loss"] as const),
];

/** About the selected element. */
function ask(app: App, forward: boolean): void {
  const session = whySession(app);
  batch(() => {
    session.first.value = null;
    session.forward.value = forward;
    showView(app, id);
  });
}

export const why: View = {
  id,
  title: words.why.title,
  icon: "back",
  Component: lazy(async () => (await import("./WhyView")).WhyView),
  explainsMarks: true,
  empty: words.why.empty,
  opensFor: ["origin"],
  link: [
    linkField<FirstKind | null>({
      key: "first",
      default: null,
      parse: oneOf(FIRST_KINDS),
      print: (kind) => kind ?? "",
      of: (app) => whySession(app).first,
    }),
    linkField<boolean>({
      key: "reach",
      default: false,
      parse: (text) => (text === "1" ? true : null),
      print: (forward) => (forward ? "1" : ""),
      of: (app) => whySession(app).forward,
    }),
  ],
  showsRun: always,
  commands: [
    {
      id: "why-selected",
      label: words.why.command,
      keys: [],
      icon: "back",
      perform: (app) => ask(app, false),
      enabled: always,
    },
    {
      id: "why-reach",
      label: words.why.reach,
      keys: [],
      icon: "back",
      perform: (app) => ask(app, true),
      enabled: always,
    },
  ],
};
