/** What a person is at, as it is kept: the program and all that is looked at, as one record. */
import type { LinkState } from "./link";
import type { RunSettings } from "./settings";
import type { InputSpec, StoreKind } from "./state";

/** A file chosen as an input; its bytes are kept apart, once. */
export interface KeptFile {
  name: string;
  /** Of the bytes; "" where they are not kept. */
  key: string;
}

export interface Work {
  /** In the history: every entry names its work. */
  id: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** A page is at it, and alone writes it. */
  open: boolean;
  text: string;
  cursor: number;
  inputs: { text: string; file: KeptFile | null }[];
  settings: RunSettings;
  /** The example that the text is, unchanged; "" for none. */
  example: string;
  /** It had been run when it was left: what was not, or was never finished, does not run by itself. */
  ran: boolean;
  /** What a link says besides the program. */
  view: Pick<LinkState, "shape" | "compare" | "params">;
  /** Digest of what the address said. */
  address: string;
}

export interface Taken {
  work: Work;
  files: Map<string, Uint8Array>;
  /** Another page is at it (or ended without a word): this is a copy under a name of its own. */
  copied: boolean;
}

export interface WorkStore {
  readonly kind: StoreKind;
  /** Where the kind can still change: resolves when it has. */
  readonly moved?: Promise<void>;
  /** Rejects when there is no room (QuotaExceededError) or no storage any more. */
  put(work: Work, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The work of a name, to go on with; null when there is none. */
  take(id: string): Promise<Taken | null>;
  /** The newest, and the newest that was left at an address. */
  takeLast(): Promise<Taken | null>;
  takeFrom(address: string): Promise<Taken | null>;
  /** Forgets all but the newest works, and files that none of them needs. */
  prune(keep: number): Promise<void>;
}

/** Files of more bytes are not kept. */
export const MAX_FILE_KEPT = 64 * 1024 * 1024;

const keys = new WeakMap<Uint8Array, string>();

/** The name under which bytes are kept: the same bytes have one. */
export function keyOf(bytes: Uint8Array): string {
  if (bytes.length > MAX_FILE_KEPT) return "";
  const known = keys.get(bytes);
  if (known) return known;
  const key = newId();
  keys.set(bytes, key);
  return key;
}

/** Bytes that came from the store go back under the same name. */
export function rememberKey(bytes: Uint8Array, key: string): void {
  keys.set(bytes, key);
}

/** Works without a name beyond this page: `crypto.randomUUID` needs a secure context. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A short text that is the same for the same address, and hardly ever for another. */
export function digest(hash: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < hash.length; i++) {
    const code = hash.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return `${hash.length}-${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

export function keptInputs(inputs: readonly InputSpec[]): Work["inputs"] {
  return inputs.map(({ text, file }) => ({
    text,
    file: file && { name: file.name, key: keyOf(file.bytes) },
  }));
}

/** The files of inputs that can be kept, by key. */
export function filesOf(inputs: readonly InputSpec[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const { file } of inputs) {
    const key = file ? keyOf(file.bytes) : "";
    if (file && key) files.set(key, file.bytes);
  }
  return files;
}
