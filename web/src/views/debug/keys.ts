/** The keys of moves through a run; those of the commands in `index.ts`, and in the buttons' hints. */
export const debugKeys: Readonly<Partial<Record<string, string>>> = {
  over: "F10",
  into: "F11",
  out: "Shift-F11",
  "back-over": "Shift-F10",
  continue: "Mod-F9",
};
