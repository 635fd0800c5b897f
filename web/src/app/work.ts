/** A work: the program and everything selected in it, as one saved record. */
import type { LinkState } from "./link";
import type { RunSettings } from "./settings";
import type { InputSpec, StoreKind } from "./state";

/** A file chosen as an input; its bytes are stored separately, once. */
export interface KeptFile {
  name: string;
  /** Digest of the bytes; "" if they are not stored. */
  key: string;
}

/** A text above the editor. */
export interface KeptTab {
  name: string;
  title: string;
  /** Null: it was too large, or not read yet. */
  text: string | null;
  cursor: number;
  inputs: Work["inputs"];
}

export interface Work {
  /** Its id, which history entries refer to. */
  id: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** A page has it open, and alone writes it. */
  open: boolean;
  text: string;
  cursor: number;
  inputs: { text: string; file: KeptFile | null }[];
  settings: RunSettings;
  /** The other files beside it, and which of them the text is; works of one text have none. */
  fileTabs?: {
    tabs: KeptTab[];
    selected: number;
    /** All files of the dump; null: the text is that of the tab, or was not kept. */
    files?: { name: string; text: string | null }[];
    /** An id of the dump, for as long as the page has its files at hand. */
    dump?: string;
    /** How many files an earlier visit has lost. */
    missing?: number;
  };
  /** The example that the text is, unchanged; "" for none. */
  example: string;
  /**
   * It had been run when it was saved: works not run, or whose run was not finished, do not run
   * automatically.
   */
  ran: boolean;
  /** The parts of a link besides the program. */
  view: Pick<LinkState, "shape" | "compare" | "params">;
  /** Digest of the address. */
  address: string;
}

export interface Taken {
  work: Work;
  files: Map<string, Uint8Array>;
  /** Another page has it open (or crashed): this is a copy under an id of its own. */
  copied: boolean;
}

export interface WorkStore {
  readonly kind: StoreKind;
  /** If the kind of store can still change: resolves when it has. */
  readonly moved?: Promise<void>;
  /** Rejects when storage is full (QuotaExceededError) or no longer available. */
  put(work: Work, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The work of an id, to be continued; null if there is none. */
  take(id: string): Promise<Taken | null>;
  /** The newest, and the newest saved at an address. */
  takeLast(): Promise<Taken | null>;
  takeFrom(address: string): Promise<Taken | null>;
  /** Deletes all but the newest works, and files that none of them refers to. */
  prune(keep: number): Promise<void>;
}

/** Files of more bytes are not kept. */
export const MAX_FILE_KEPT = 64 * 1024 * 1024;

const keys = new WeakMap<Uint8Array, string>();

/** The key under which bytes are stored: a digest of them. */
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

/** A new id of a work: `crypto.randomUUID` needs a secure context. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A short hash of an address. */
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

/** The files of inputs that can be saved, by key. */
export function filesOf(inputs: readonly InputSpec[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const { file } of inputs) {
    const key = file ? keyOf(file.bytes) : "";
    if (file && key) files.set(key, file.bytes);
  }
  return files;
}

/** Set once this browser was given a work to keep. */
const KEPT = "hlo-kept";

/** A work is about to be saved. */
export function noteKept(): void {
  try {
    localStorage.setItem(KEPT, "1");
  } catch {
    // Then every page looks into its store.
  }
}

/** Whether the store may have works: it takes long to open, and most people come for the first time. */
export function mayHaveWorks(): boolean {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return true;
  }
}
