/** Files as texts: what is packed is unpacked, and protocol buffers are printed as programs. */
import type { App } from "./app";
import { DumpProblem, MOST_BYTES, unpack } from "./archives";
import { dumpWords } from "./dump_words";
import type { DumpEntry, InputSpec } from "./state";

const MAX_TEXT = 64 * 1024 * 1024;

/** A text, with what belongs to it. */
export interface Decoded {
  text: string;
  inputs: InputSpec[];
  /** A second text that the file has. */
  assignment: string;
  /** What could not be read of the file; "" for nothing. */
  problem: string;
}

const NOTHING_ELSE = { inputs: [], assignment: "", problem: "" };

/** A file that was dropped or chosen. */
export function entryOf(file: File): DumpEntry {
  return {
    name: file.webkitRelativePath || file.name,
    size: file.size,
    async read() {
      if (file.size > MOST_BYTES) throw new DumpProblem(dumpWords.tooLarge(file.name, MOST_BYTES));
      return new Uint8Array(await file.arrayBuffer());
    },
  };
}

/** Files that were read without being shown, until somebody shows them. */
const read = new WeakMap<DumpEntry, Decoded>();

/** The text of a file that was read; null: it was not. */
export const readBefore = (entry: DumpEntry): Decoded | null => read.get(entry) ?? null;

/** Reads a file, and remembers its text as long as there is the file. */
export async function readOnce(app: App, entry: DumpEntry): Promise<Decoded> {
  const decoded = await decode(app, entry);
  read.set(entry, decoded);
  return decoded;
}

/** A file of which only the text is left. */
export function entryOfText(name: string, text: string): DumpEntry {
  const entry = { name, size: text.length, read: async () => new TextEncoder().encode(text) };
  read.set(entry, { text, ...NOTHING_ELSE });
  return entry;
}

/** UTF-16 by its byte order mark, as what PowerShell's `>` writes; else UTF-8. */
function encodingOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | "utf-8" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

export async function decode(app: App, entry: DumpEntry): Promise<Decoded> {
  const known = read.get(entry);
  if (known) return known;
  const [file, ...others] = await unpack(entry);
  if (others.length > 0) throw new DumpProblem(dumpWords.several(entry.name, others.length + 1));
  const bytes = (await file?.read()) ?? new Uint8Array();
  const isWide = encodingOf(bytes) !== "utf-8";
  const isText = isWide || (!bytes.subarray(0, 4096).includes(0) && bytes[0] !== 0x0a);
  const isProto = /\.(pb|pbtxt|textproto|textpb)$/i.test(file?.name ?? "") || !isText;
  if (!isProto) return { ...textOf(bytes, entry.name), ...NOTHING_ELSE };
  const answer = await app.engines.results.call("readDump", [{ files: [{ bytes }] }]);
  if (!answer.ok) {
    if (!bytes.includes(0)) return { ...textOf(bytes, entry.name), ...NOTHING_ELSE };
    throw new DumpProblem(dumpWords.unknown(entry.name));
  }
  const inputs = answer.inputs.map((text, at): InputSpec => {
    const array = answer.arrays[at];
    const name = `argument_${at}.npy`;
    return { text, file: array && array.length > 0 ? { name, bytes: array } : null };
  });
  const { text, bufferAssignment: assignment, problems } = answer;
  return { text, inputs, assignment, problem: problems[0] ?? "" };
}

function textOf(bytes: Uint8Array, name: string): { text: string } {
  if (bytes.length > MAX_TEXT) throw new DumpProblem(dumpWords.tooLarge(name, MAX_TEXT));
  return { text: new TextDecoder(encodingOf(bytes)).decode(bytes) };
}
