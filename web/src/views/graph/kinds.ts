/** Words that several parts of the view share. */

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

/** Files that a picture is saved as. */
export type GraphExportKind = "svg" | "png" | "dot";
