/** Words that several parts of the view share. */
import type { words } from "../../strings";

/** What boxes are coloured by. */
export const COLOURS = [
  "class",
  "bytes",
  "padding",
  "devices",
  "source",
  "time",
  "precision",
] as const;
export type ColourId = (typeof COLOURS)[number];

/** What a person may ask of the graph from anywhere. */
export type CommandName = keyof typeof words.graph.commands;

/** Files that a picture is saved as. */
export const GRAPH_EXPORTS = ["svg", "png", "dot"] as const;
export type GraphExportKind = (typeof GRAPH_EXPORTS)[number];
