// What the structure of the sources is to be: rooms that know only rooms below them, and no circles.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return filesBelow(path, pattern);
    return pattern.test(name) ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");

type Graph = ReadonlyMap<string, readonly string[]>;

/** Groups of files that reach one another. */
function circles(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) {
        low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
      }
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

/** Which rooms of the engine a room may include; each of them stands above it. */
const ROOMS: Record<string, string[]> = {
  base: [],
  layout: ["base"],
  types: ["base", "layout"],
  io: ["base", "types"],
  kernels: ["base", "types"],
  ops: ["base", "kernels", "layout", "types"],
  hlo: ["base", "ops", "types"],
  mlir: ["base", "hlo", "ops", "types"],
  plan: ["base", "hlo", "kernels", "ops", "types"],
  run: ["base", "hlo", "io", "ops", "plan", "types"],
  views: ["base", "hlo", "io", "layout", "mlir", "ops", "plan", "run", "types"],
  cli: ["base", "hlo", "io", "mlir", "run", "types", "views"],
};

const roomOf = (file: string): string => file.split("/")[1] ?? "";

const engine: Graph = new Map(
  filesBelow("engine", /\.(cc|h)$/).map((file) => [
    file,
    [...read(file).matchAll(/#include "(engine\/[^"]+\.h)"/g)].map((match) => match[1] ?? ""),
  ]),
);

/** Imports of types count: what knows another's types cannot be read without it. */
const page: Graph = (() => {
  const files = filesBelow("web/src", /\.tsx?$/).concat(filesBelow("wasm", /\.ts$/));
  const known = new Set(files);
  const resolve = (from: string, to: string): string[] => {
    const path = normalize(join(dirname(from), to));
    const names = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
    return names.filter((name) => known.has(name)).slice(0, 1);
  };
  return new Map(
    files.map((file) => [
      file,
      [...read(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].flatMap((match) =>
        resolve(file, match[1] ?? ""),
      ),
    ]),
  );
})();

describe("the engine's rooms", () => {
  it("are all in the table", () => {
    const rooms = readdirSync(join(root, "engine")).filter((name) =>
      statSync(join(root, "engine", name)).isDirectory(),
    );
    expect(rooms.sort()).toEqual(Object.keys(ROOMS).sort());
  });

  it("include only what they may", () => {
    const wrong = [...engine].flatMap(([file, includes]) =>
      includes
        .filter((to) => roomOf(to) !== roomOf(file) && !ROOMS[roomOf(file)]?.includes(roomOf(to)))
        .map((to) => `${file} includes ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("have no circles, neither of rooms nor of headers", () => {
    expect(circles(new Map(Object.entries(ROOMS)))).toEqual([]);
    expect(circles(engine)).toEqual([]);
  });
});

describe("the page's modules", () => {
  it("are read", () => {
    expect(page.size).toBeGreaterThan(80);
    expect(page.get("web/src/main.tsx")?.length).toBeGreaterThan(3);
  });

  it("import one another without circles", () => {
    expect(circles(page)).toEqual([]);
  });
});
