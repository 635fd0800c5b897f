/** What is said of dumps; fetched with what reads them. */
import { words } from "../strings";

export const dumpWords = {
  tooLarge: (name: string, most: number) =>
    `${name} has more than ${Math.round(most / 1024 / 1024)} MB: it is not read.`,
  tooMany: (name: string, most: number) =>
    `${name} has more than ${most.toLocaleString("en-US")} files: it is not read.`,
  broken: (name: string) => `${name} is cut off or damaged: it cannot be unpacked.`,
  method: (name: string) => `${name} is compressed in a way that this page does not know.`,
  nested: (name: string) => `${name} is an archive in an archive in an archive: it is not read.`,
  nothing: "There is no file in it that this page can show.",
  unknown: (name: string) =>
    `${name} is neither text nor a program of XLA: HloModuleProto, HloProto or HloSnapshot.`,
  opened: (count: number, name: string) =>
    count === 1 ? words.app.opened(name) : `Opened ${count.toLocaleString("en-US")} files.`,
  assignment: "buffer-assignment",
  label: "Files of this dump",
  close: "Close this file (Delete)",
  all: (count: number) => `All files (${count.toLocaleString("en-US")})`,
  filter: "Filter by name",
};
