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
  allKept: (count: number, of: number) =>
    `All files (${count.toLocaleString("en-US")} of ${of.toLocaleString("en-US")})`,
  missing: (count: number) =>
    `${words.count(count, "file was", "files were")} not kept since your last visit, as too large or not read yet: open the dump again to see ${count === 1 ? "it" : "them"}.`,
  several: (name: string, count: number) =>
    `${name} holds ${count.toLocaleString("en-US")} files: open it with Open, and choose among its files here.`,
  filter: "Filter by name",
};
