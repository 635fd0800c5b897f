/** Texts of the view of devices. */
export const deviceWords = {
  instruction: "Instruction",
  leaf: "Array of the tuple",
  more: (shown: number, all: number) => `The first ${shown} of ${all.toLocaleString("en-US")}.`,
  picture: (shape: string) => `${shape} by the devices that hold its parts`,
  fixed: (dims: readonly number[]) =>
    `Drawn at the first tile of dimension${dims.length > 1 ? "s" : ""} ${dims.join(", ")}.`,
  cut: (shown: number) => `The first ${shown} tiles of a dimension are drawn.`,
  same: (count: number) => `Hatched to the left: held by ${count} devices each.`,
  padded: "Hatched to the right: padding, which is no part of the array.",
  tile: (list: string) => `Devices ${list}`,
  pieces: "Pieces by device",
  columns: ["Device", "Tile", "Slice", "Padding"] as const,
  none: "none",
};
