/**
 * Links: `#1/<payload>&view=layout&v=dot.3&cell=3,5&title=...`, `#ex=...`, and of layouts
 * `#shape=...`, `#compare=...|...`; written by hand also by the key of a notation, `#morello=...`,
 * which is a parameter here: the engine knows its notations (`share.ts`).
 * The payload is deflate-raw + base64url of a small JSON that holds only what differs from the
 * defaults. Forms that were published once stay readable for ever (tests/links/). Reading is
 * lenient, bounded, and never throws; writing percent-encodes everything outside
 * `[A-Za-z0-9._~,:=&/-]`, for mail programs and terminals cut links at other characters.
 */

import { type RunSettings, readSettings } from "./settings";

/** The program and how it is run; absent fields have their default. */
export interface LinkProgram extends Partial<RunSettings> {
  src: string;
  inputs?: string[];
  /** Long texts among the parameters of the view that is shown. */
  texts?: Record<string, string>;
}

export interface LinkState {
  program?: LinkProgram;
  /** Id of a built-in example, instead of a program. */
  example?: string;
  /** A layout typed into the layout view, and another that it is compared with. */
  shape?: string;
  compare?: string;
  /** Readable state of the views: "view", "v", "cell", "title" and what views add. */
  params: Record<string, string>;
  /** Those of the shown view's parameters that are long texts: they are written with the program. */
  texts?: Record<string, string>;
}

/** A fault of a link, as a key of `words.link.problems`. */
export type LinkProblem = "version" | "payload" | "tooLarge" | "tooLong" | "meaningless";
export interface ReadLink {
  state: LinkState;
  problem: LinkProblem | null;
}

export const LINK_VERSION = "1";
/** Characters of a link and bytes of an inflated payload that are read at most. */
export const MAX_LINK = 8 * 1024 * 1024;
export const MAX_INFLATED = 4 * 1024 * 1024;
const MAX_PARAMS = 64;
const MAX_INPUTS = 10_000;

/** Percent-encodes as UTF-8; half a surrogate pair becomes the replacement character. */
export function encodeText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let out = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9._~,:/-]/.test(char)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

/** The text itself when it is not well-formed percent-encoding. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Null when the text is no base64. */
export function fromBase64Url(text: string): Uint8Array | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number) {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      return null;
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function through(bytes: Uint8Array, transform: GenericTransformStream): ReadableStream<Uint8Array> {
  const body = new Blob([bytes as BlobPart]).stream();
  return body.pipeThrough(transform as ReadableWritablePair<Uint8Array, Uint8Array>);
}

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const out = await collect(through(bytes, new CompressionStream("deflate-raw")), Infinity);
  return out ?? new Uint8Array();
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array | LinkProblem> {
  try {
    const stream = through(bytes, new DecompressionStream("deflate-raw"));
    return (await collect(stream, MAX_INFLATED)) ?? "tooLarge";
  } catch {
    return "payload";
  }
}

/** The texts of views in a payload. */
function readTexts(json: unknown): Record<string, string> {
  if (typeof json !== "object" || json === null) return {};
  const known = Object.entries(json).slice(0, MAX_PARAMS);
  return Object.fromEntries(
    known.filter(([key, text]) => key !== "__proto__" && typeof text === "string"),
  );
}

/** What of a parsed payload can be used; null when there is no program in it. */
function readProgram(json: unknown): LinkProgram | null {
  if (typeof json !== "object" || json === null) return null;
  const fields = json as Record<string, unknown>;
  if (typeof fields.src !== "string") return null;
  const program: LinkProgram = { src: fields.src };
  if (Array.isArray(fields.inputs)) {
    program.inputs = fields.inputs
      .slice(0, MAX_INPUTS)
      .map((input) => (typeof input === "string" ? input : ""));
  }
  Object.assign(program, readSettings(fields));
  const texts = readTexts(fields.texts);
  if (Object.keys(texts).length > 0) program.texts = texts;
  return program;
}

async function readPayload(payload: string): Promise<LinkProgram | LinkProblem> {
  const bytes = fromBase64Url(payload);
  if (!bytes) return "payload";
  const inflated = await inflate(bytes);
  if (typeof inflated === "string") return inflated;
  try {
    return readProgram(JSON.parse(new TextDecoder().decode(inflated))) ?? "payload";
  } catch {
    return "payload";
  }
}

/** Reads a hash, with or without its `#`. What cannot be read is left out and named. */
export async function readLink(hash: string): Promise<ReadLink> {
  const state: LinkState = { params: {} };
  if (hash.length > MAX_LINK) return { state, problem: "tooLong" };
  let problem: LinkProblem | null = null;
  const parts = hash.replace(/^#/, "").split("&", MAX_PARAMS);
  for (const [i, part] of parts.entries()) {
    const payload = i === 0 ? /^(\d+)\/(.*)$/s.exec(part) : null;
    if (payload) {
      const program =
        payload[1] === LINK_VERSION ? await readPayload(payload[2] ?? "") : ("version" as const);
      if (typeof program === "string") problem = program;
      else {
        const { texts, ...rest } = program;
        state.program = rest;
        if (texts) state.texts = texts;
      }
      continue;
    }
    const equals = part.indexOf("=");
    if (equals <= 0) {
      if (part) problem ??= "meaningless";
      continue;
    }
    const key = decodeText(part.slice(0, equals));
    const value = decodeText(part.slice(equals + 1));
    if (key === "ex") state.example = value;
    else if (key === "shape") state.shape = value;
    else if (key === "compare") {
      const bar = value.indexOf("|");
      state.shape = bar < 0 ? value : value.slice(0, bar);
      if (bar >= 0) state.compare = value.slice(bar + 1);
    } else if (key !== "__proto__") state.params[key] = value;
  }
  return { state, problem };
}

function layoutPart(shape: string, compare: string | undefined): string {
  if (compare === undefined) return `shape=${encodeText(shape)}`;
  return `compare=${encodeText(`${shape}|${compare}`)}`;
}

/** The program of a link as it is packed; `MAX_INFLATED` bytes are read again. */
export const payloadOf = ({ program, texts }: LinkState): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ ...program, ...(texts && { texts }) }));

/** The hash of a state, with its `#`; "" for the default state. */
export async function writeLink(state: LinkState): Promise<string> {
  const parts: string[] = [];
  if (state.program) {
    parts.push(`${LINK_VERSION}/${toBase64Url(await deflate(payloadOf(state)))}`);
  } else if (state.example !== undefined) {
    parts.push(`ex=${encodeText(state.example)}`);
  }
  if (state.shape !== undefined) parts.push(layoutPart(state.shape, state.compare));
  for (const [key, value] of Object.entries(state.params)) {
    parts.push(`${encodeText(key)}=${encodeText(value)}`);
  }
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
