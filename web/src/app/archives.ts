/**
 * Archives: their entries, each decompressed by the browser once it is wanted, outside of this
 * thread, and never to more than a limit. What an archive says of sizes is not believed.
 */
import { dumpWords } from "./dump_words";
import type { DumpEntry } from "./state";

/** A file may have this many bytes, and an archive this many entries. */
export const MOST_BYTES = 512 * 1024 * 1024;
export const MOST_ENTRIES = 20_000;

/** What is wrong with a file, in words. */
export class DumpProblem extends Error {
  override readonly name = "DumpProblem";
}

async function inflate(
  bytes: Uint8Array,
  format: CompressionFormat,
  name: string,
  most = MOST_BYTES,
): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(new DecompressionStream(format));
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) {
        await reader.cancel();
        throw new DumpProblem(dumpWords.tooLarge(name, most));
      }
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof DumpProblem) throw error;
    throw new DumpProblem(dumpWords.broken(name));
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The record at the end of a zip file: where its directory is. */
function endOfZip(view: DataView): { count: number; at: number } | null {
  const END = 0x06054b50;
  const LEAST = 22;
  const MOST_COMMENT = 0xffff;
  const first = Math.max(0, view.byteLength - LEAST - MOST_COMMENT);
  for (let at = view.byteLength - LEAST; at >= first; at--) {
    if (view.getUint32(at, true) !== END) continue;
    return { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
  }
  return null;
}

/** The entries of a zip file. */
function zipEntries(bytes: Uint8Array, archive: string): DumpEntry[] {
  const ENTRY = 0x02014b50;
  const view = viewOf(bytes);
  const end = endOfZip(view);
  if (!end) throw new DumpProblem(dumpWords.broken(archive));
  if (end.count > MOST_ENTRIES) throw new DumpProblem(dumpWords.tooMany(archive, MOST_ENTRIES));
  const entries: DumpEntry[] = [];
  let at = end.at;
  for (let i = 0; i < end.count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) {
      throw new DumpProblem(dumpWords.broken(archive));
    }
    const [method, packed] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true)];
    const nameLength = view.getUint16(at + 28, true);
    const rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    at += 46 + nameLength + rest;
    if (name.endsWith("/")) continue;
    entries.push({ name, read: () => readZipped(bytes, local, packed, method, name) });
  }
  return entries;
}

async function readZipped(
  bytes: Uint8Array,
  local: number,
  packed: number,
  method: number,
  name: string,
): Promise<Uint8Array> {
  if (local + 30 > bytes.length) throw new DumpProblem(dumpWords.broken(name));
  const view = viewOf(bytes);
  const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = bytes.subarray(begin, begin + packed);
  if (data.length !== packed) throw new DumpProblem(dumpWords.broken(name));
  if (method === 0) return data;
  if (method !== 8) throw new DumpProblem(dumpWords.method(name));
  return inflate(data, "deflate-raw", name);
}

/** The entries of a tar file. */
function tarEntries(bytes: Uint8Array, archive: string): DumpEntry[] {
  const BLOCK = 512;
  const text = (begin: number, length: number): string =>
    new TextDecoder().decode(bytes.subarray(begin, begin + length)).replace(/\0.*$/s, "");
  const entries: DumpEntry[] = [];
  // Names that the head of a file has no room for are entries before it, of GNU tar or of POSIX.
  let long = "";
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || "0", 8);
    if (!Number.isFinite(size) || size < 0 || at + BLOCK + size > bytes.length) {
      throw new DumpProblem(dumpWords.broken(archive));
    }
    const kind = text(at + 156, 1);
    const prefix = text(at + 345, 155);
    const name = long || (prefix ? `${prefix}/` : "") + text(at, 100);
    const begin = at + BLOCK;
    if (kind === "L") long = text(begin, size);
    else if (kind === "x") long = /^\d+ path=(.*)$/m.exec(text(begin, size))?.[1] ?? "";
    else long = "";
    if (kind === "0" || kind === "") {
      entries.push({ name, read: async () => bytes.subarray(begin, begin + size) });
    }
    if (entries.length > MOST_ENTRIES) {
      throw new DumpProblem(dumpWords.tooMany(archive, MOST_ENTRIES));
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

const beginsWith = (bytes: Uint8Array, ...head: number[]): boolean =>
  head.every((byte, i) => bytes[i] === byte);

const isTar = (bytes: Uint8Array): boolean =>
  bytes.length > 262 && new TextDecoder().decode(bytes.subarray(257, 262)) === "ustar";

/** What is in a file: its entries where it is an archive, else itself. By content, not by name. */
export async function unpack(entry: DumpEntry, levels = 3): Promise<DumpEntry[]> {
  const bytes = await entry.read();
  if (levels === 0) throw new DumpProblem(dumpWords.nested(entry.name));
  if (beginsWith(bytes, 0x50, 0x4b, 3, 4)) return zipEntries(bytes, entry.name);
  if (isTar(bytes)) return tarEntries(bytes, entry.name);
  if (beginsWith(bytes, 0x1f, 0x8b)) {
    const whole = await inflate(bytes, "gzip", entry.name);
    const name = entry.name.replace(/\.gz$/i, "").replace(/\.tgz$/i, ".tar");
    return unpack({ name, read: async () => whole }, levels - 1);
  }
  if (/\.(zip|tar|tgz|gz)$/i.test(entry.name)) throw new DumpProblem(dumpWords.broken(entry.name));
  return [{ ...entry, read: async () => bytes }];
}
