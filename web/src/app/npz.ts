/** Several arrays in a file (.npz, which is a zip of .npy files): as inputs, and values as one. */
import type { Zip as ZipStream } from "fflate";
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { unpack } from "./archives";
import { fittingParameters, giveArray, parametersOf, readHead, setArray } from "./arrays";
import type { InputSpec } from "./state";

type ArrayFile = NonNullable<InputSpec["file"]>;

/** Bytes that an archive may have, and those of its arrays. */
export const MOST_NPZ = 1024 * 1024 * 1024;

const w = {
  tooLarge: "This file is larger than 512 MiB.",
  tooManyBytes: "The arrays of this file take more than 1 GiB.",
  none: (name: string) => `${name} holds no .npy files.`,
  noneFits: (name: string) =>
    `No array${name && ` of ${name}`} has the name or the sizes of an input.`,
  given: (name: string, pairs: string, left: string) =>
    `${name && `${name}: `}${pairs}.${left ? ` No input has the sizes of ${left}.` : ""}`,
  pair: (array: string, input: string) => `${array} is ${input}`,
};

/** What is left of a name in a file. */
export const plainName = (name: string): string => name.replace(/[^\w.-]/g, "_");

/** "arr_3": what numpy.savez calls an array without a name. */
const numberOf = (name: string): number => Number(/^arr_(\d{1,6})$/.exec(name)?.[1] ?? Number.NaN);

/**
 * Which array is which parameter: the one of its name, else by number or order among those that it
 * fits. `fits` has the parameters that each array can be.
 */
export function assign(
  names: readonly string[],
  parameters: readonly string[],
  fits: readonly (readonly number[])[],
): (number | null)[] {
  const numbers = new Map<string, number>();
  parameters.forEach((parameter, at) => {
    const name = plainName(parameter);
    if (!numbers.has(name)) numbers.set(name, at);
  });
  const chosen: (number | null)[] = names.map((name, i) => {
    const at = numbers.get(name);
    return at !== undefined && fits[i]?.includes(at) ? at : null;
  });
  const used = new Set(chosen);
  const order = [...names.keys()].sort((a, b) => {
    const [m, n] = [numberOf(names[a] ?? ""), numberOf(names[b] ?? "")];
    return Number.isNaN(m) || Number.isNaN(n) ? a - b : m - n;
  });
  for (const i of order) {
    if (chosen[i] !== null) continue;
    const numbered = numberOf(names[i] ?? "");
    const free = (fits[i] ?? []).filter((at) => !used.has(at));
    const at = free.includes(numbered) ? numbered : (free[0] ?? null);
    chosen[i] = at;
    used.add(at);
  }
  return chosen;
}

async function readArrays(file: File): Promise<ArrayFile[]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // What is in an archive is recognised by its content, and limited.
  const entries = await unpack({ name: file.name, read: async () => bytes }, 1);
  const arrays: ArrayFile[] = [];
  let size = 0;
  for (const entry of entries) {
    const content = await entry.read();
    size += content.length;
    if (size > MOST_NPZ) throw new Error(w.tooManyBytes);
    if (readHead(content)) arrays.push({ name: entry.name, bytes: content });
  }
  return arrays;
}

/** Takes the arrays of a file as inputs, by their names or in their order, and says which is which. */
export async function takeArrays(app: App, file: File, parameter: number | null): Promise<void> {
  if (file.size > MOST_NPZ / 2) {
    notify(app, w.tooLarge, "error");
    return;
  }
  const arrays = await readArrays(file);
  const [first] = arrays;
  if (!first) {
    notify(app, w.none(file.name), "error");
    return;
  }
  if (parameter !== null && arrays.length === 1) {
    await giveArray(app, parameter, first);
    return;
  }
  await giveArrays(app, file.name, arrays);
}

/** The same with arrays of the archive `source`; "" for files of their own. */
export async function giveArrays(
  app: App,
  source: string,
  arrays: readonly ArrayFile[],
): Promise<void> {
  const parameters = await parametersOf(app);
  const fits = await fittingParameters(app, parameters, arrays);
  const names = arrays.map(({ name }) => name.replace(/\.npy$/i, ""));
  const chosen = assign(
    names,
    parameters.map(({ name }) => name),
    fits,
  );
  if (chosen.every((at) => at === null)) {
    notify(app, w.noneFits(source), "error");
    return;
  }
  const undo: (() => void)[] = [];
  chosen.forEach((at, i) => {
    const array = arrays[i];
    if (at === null || !array) return;
    const name = source ? `${source}: ${names[i]}` : array.name;
    undo.push(setArray(app, at, { ...array, name }));
  });
  const list = (some: readonly string[]): string =>
    some.length > 6 ? `${some.slice(0, 6).join(", ")} …` : some.join(", ");
  const pairs = chosen.flatMap((at, i) =>
    at === null ? [] : [w.pair(names[i] ?? "", parameters[at]?.name ?? "")],
  );
  const left = names.filter((_, i) => chosen[i] === null);
  const act = (): void => {
    for (const each of undo) each();
  };
  notify(app, w.given(source, list(pairs), list(left)), "info", {
    label: words.app.undo,
    act,
  });
}

/** Bytes that are worked on at a time: this thread has other things to do. */
const CHUNK = 1 << 20;

/** A turn of this thread for whatever else waits. */
const breathe = (): Promise<void> => new Promise((done) => setTimeout(done));

/**
 * An archive of .npy files, which come one after another; stored as numpy.savez does. Its chunks, so
 * that it need not lie in memory in one piece.
 */
export async function zipArrays(
  arrays: AsyncIterable<{ name: string; bytes: Uint8Array }>,
): Promise<Uint8Array[]> {
  const { Zip, ZipPassThrough } = await import("fflate");
  const chunks: Uint8Array[] = [];
  const archive: ZipStream = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const used = new Set<string>();
  for await (const { name, bytes } of arrays) {
    const entry = new ZipPassThrough(`${freeName(plainName(name) || "value", used)}.npy`);
    // No clock: the same values are the same file.
    entry.mtime = new Date(1980, 0, 1);
    archive.add(entry);
    for (let at = 0; at < bytes.length || at === 0; at += CHUNK) {
      entry.push(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length);
      await breathe();
    }
  }
  archive.end();
  return chunks;
}

/** A name that no other has: the second one is "x_2". */
function freeName(name: string, used: Set<string>): string {
  let free = name;
  for (let n = 2; used.has(free); n++) free = `${name}_${n}`;
  used.add(free);
  return free;
}
