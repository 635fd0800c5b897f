/** Texts of what is fetched when an input is edited. */
import { integer } from "../ui/format";

export const inputWords = {
  edit: (name: string) => `Edit the elements of ${name}`,
  column: (column: number) => `Column ${column}: `,
  end: "At the end: ",
  making: "Making the array …",
  cells: (name: string) => `Elements of ${name}`,
  cell: (index: readonly number[]) => `Element (${index.join(", ")})`,
  window: (name: string, begin: number, end: number, size: number) =>
    size === 0 ? `no ${name}` : `${name} ${begin} to ${end - 1} of ${size.toLocaleString("en-US")}`,
  rows: "rows",
  columns: "columns",
  first: (name: string) => `First of the ${name}`,
  before: (name: string) => `Earlier ${name}`,
  after: (name: string) => `Later ${name}`,
  written: (count: number) =>
    count === 1
      ? "1 element is written over."
      : `${count.toLocaleString("en-US")} elements are written over.`,
  restore: "Restore all",
  hint: "Enter and the arrow keys go on; an empty cell is what it was; cells can be pasted.",
  notPasted: (why: string) => `Nothing was pasted: ${why}`,
  pastedInPart: (taken: number, beyond: number) =>
    `${integer(taken)} of ${integer(taken + beyond)} cells were pasted: the array has no place for the others.`,
  tooMany: (most: number) => `at most ${most.toLocaleString("en-US")} elements at a time.`,
  tooManyCells: (most: number) =>
    `At most ${most.toLocaleString("en-US")} elements can be written over: save the array as .npy and edit that.`,
  empty: "An array without elements.",
  devices: (own: number) => (own === 0 ? "Per device" : `Per device (${own})`),
  devicesLabel: (name: string) => `values of ${name} on single devices`,
  device: (replica: number, partition: number) => `Replica ${replica}, partition ${partition}`,
  asAll: "as above",
  moreDevices: (shown: number, all: number) =>
    `The first ${shown} of ${all} devices. The others get what the field above says.`,
};
