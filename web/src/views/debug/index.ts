/** A run step by step, forward and back. */
import type { DebugMove } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import { debugSession } from "./session";

const SEPARATOR = ";";
const parseList = (text: string): readonly string[] =>
  text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(0, 50);
const printList = (list: readonly string[]): string => list.join(SEPARATOR);

const isReady = (app: App): boolean => debugSession(app).phase.value === "ready";
const w = words.debug.commands;
const runOf = async (app: App) => (await import("./run")).debugRun(app);
const command = (id: string, label: string, keys: string[], move: DebugMove): Command => ({
  id: `debug-${id}`,
  label,
  keys,
  perform: async (app) => (await runOf(app)).move(move),
  enabled: isReady,
});

const parsePosition = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null;

export const debug: View = {
  id: "debug",
  title: words.debug.title,
  icon: "film",
  Component: lazy(async () => (await import("./DebugView")).DebugView),
  empty: words.debug.empty,
  link: [
    linkField({
      key: "step",
      default: 0,
      parse: parsePosition,
      print: String,
      of: (app) => debugSession(app).position,
    }),
    linkField({
      key: "break",
      default: [] as readonly string[],
      parse: parseList,
      print: printList,
      of: (app) => debugSession(app).breakpoints,
    }),
    linkField({
      key: "watch",
      default: [] as readonly string[],
      parse: parseList,
      print: printList,
      of: (app) => debugSession(app).watches,
    }),
  ],
  commands: [
    command("over", w.over, ["F10"], "over"),
    command("into", w.into, ["F11"], "into"),
    command("out", w.out, ["Shift-F11"], "out"),
    command("back", w.back, ["Shift-F10"], "back-over"),
    {
      id: "debug-breakpoint",
      label: w.breakpoint,
      keys: ["F9"],
      perform: async (app) => {
        const before = app.state.text.value.slice(0, app.state.cursor.value);
        (await runOf(app)).toggleLine(before.split("\n").length);
      },
      enabled: () => true,
    },
  ],
};
