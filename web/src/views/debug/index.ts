/** A run step by step, forward and back. */
import type { DebugMove } from "../../../../wasm/engine_api";
import { showView } from "../../app/actions";
import type { App } from "../../app/app";
import { always, type Command } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View, wholeNumber } from "../view";
import { debugKeys } from "./keys";
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
const keysOf = (move: string): string[] => [debugKeys[move] ?? ""];
const command = (id: string, label: string, move: DebugMove): Command => ({
  id: `debug-${id}`,
  label,
  keys: keysOf(move),
  perform: async (app) => (await runOf(app)).move(move),
  enabled: isReady,
});

export const debug: View = {
  id: "debug",
  title: words.debug.title,
  icon: "film",
  Component: lazy(async () => (await import("./DebugView")).DebugView),
  empty: words.debug.empty,
  // Before a run is recorded there is nothing to stay for.
  showsRun: isReady,
  link: [
    linkField({
      key: "step",
      default: 0,
      parse: wholeNumber(15),
      print: String,
      of: (app) => debugSession(app).position,
    }),
    linkField({
      key: "follow",
      default: -1,
      parse: wholeNumber(6),
      print: String,
      of: (app) => debugSession(app).device,
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
    linkField({
      key: "whole",
      default: "",
      parse: (text) => text,
      print: String,
      of: (app) => debugSession(app).shown,
    }),
  ],
  commands: [
    command("over", w.over, "over"),
    command("into", w.into, "into"),
    command("out", w.out, "out"),
    command("back", w.back, "back-over"),
    {
      id: "debug-on",
      label: w.on,
      keys: keysOf("continue"),
      perform: async (app) => {
        showView(app, "debug");
        await (await runOf(app)).goOn();
      },
      enabled: always,
    },
    {
      id: "debug-breakpoint",
      label: w.breakpoint,
      keys: ["F9"],
      perform: async (app) => {
        const run = await runOf(app);
        run.toggleLine(run.cursorLine());
      },
      enabled: always,
    },
  ],
};
