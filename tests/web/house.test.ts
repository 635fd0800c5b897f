// Checks the structure of the sources: components include only components below them, without
// cycles.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Signal } from "@preact/signals";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { createState } from "../../web/src/app/state";
import { commands } from "../../web/src/commands/registry";
import { views } from "../../web/src/views/registry";
import { engine as engineApi } from "./engine";
import { FORM, NAMED } from "./opcodes";

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

/** Strongly connected components of files. */
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

/**
 * The components (folders of engine/, called rooms here) that a component may include; each is
 * above them.
 */
const ROOMS: Record<string, string[]> = {
  base: [],
  layout: ["base"],
  types: ["base", "layout"],
  io: ["base", "types"],
  lanes: [],
  threads: ["base"],
  kernels: ["base", "lanes", "threads", "types"],
  ops: ["base", "kernels", "lanes", "layout", "threads", "types"],
  hlo: ["base", "ops", "types"],
  mlir: ["base", "hlo", "layout", "ops", "types"],
  proto: ["base", "hlo", "ops", "types"],
  plan: ["base", "hlo", "kernels", "layout", "ops", "types"],
  cost: ["base", "hlo", "kernels", "layout", "ops", "plan", "types"],
  codegen: ["base", "kernels", "lanes", "ops", "plan", "types"],
  standalone: ["base", "codegen", "hlo", "kernels", "lanes", "ops", "plan", "types"],
  diff: ["base", "hlo", "ops", "plan", "types"],
  rewrite: ["base", "cost", "hlo", "ops", "plan", "types"],
  passes: ["base", "hlo", "layout", "ops", "plan", "types"],
  run: ["base", "hlo", "io", "lanes", "ops", "plan", "threads", "types"],
  timeline: ["base", "hlo", "ops", "run", "types"],
  precision: ["base", "hlo", "ops", "run", "types"],
  graph: ["base", "hlo", "ops", "types"],
  why: ["base", "hlo", "ops", "run", "timeline", "types"],
  views: [
    "base",
    "codegen",
    "cost",
    "diff",
    "graph",
    "hlo",
    "io",
    "layout",
    "mlir",
    "ops",
    "passes",
    "plan",
    "precision",
    "proto",
    "rewrite",
    "run",
    "standalone",
    "threads",
    "timeline",
    "types",
    "why",
  ],
  cli: [
    "base",
    "cost",
    "graph",
    "hlo",
    "io",
    "mlir",
    "passes",
    "proto",
    "rewrite",
    "run",
    "threads",
    "types",
    "views",
  ],
};

const roomOf = (file: string): string => file.split("/")[1] ?? "";

const engine: Graph = new Map(
  filesBelow("engine", /\.(cc|h)$/).map((file) => [
    file,
    [...read(file).matchAll(/#include "(engine\/[^"]+\.h)"/g)].map((match) => match[1] ?? ""),
  ]),
);

const sources = filesBelow("web/src", /\.tsx?$/);

/** Type-only imports count too: code cannot be read without the types it uses. */
const page: Graph = (() => {
  const files = sources.concat(filesBelow("wasm", /\.ts$/), filesBelow("web/src", /\.css$/));
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

/** A part of a program as the parser has it. */
type Syntax = { type?: string; callee?: { name?: string } };

/**
 * The functions that a module calls when it is loaded; bodies of functions are not executed yet.
 */
function calledOnLoad(file: string): string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) visit(each);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return;
    const { type, callee } = part as Syntax;
    if (type !== undefined && /Function|^MethodDefinition$|^TS/.test(type)) return;
    if (type === "CallExpression" && callee?.name) found.push(callee.name);
    for (const each of Object.values(part)) visit(each);
  };
  visit(parseSync(file, read(file)).program.body);
  return found;
}

/** The folder of a view that a file is in; "" for none. */
const viewOf = (file: string): string => /^web\/src\/views\/([^/]+)\//.exec(file)?.[1] ?? "";

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

  it("see the JSON library through one header, which replaces a part of it", () => {
    const files = filesBelow("engine", /\.(cc|h)$/).concat(filesBelow("tests", /\.(cc|h)$/));
    const direct = files.filter((file) => read(file).includes("#include <nlohmann/json.hpp>"));
    expect(direct).toEqual(["engine/views/json.h"]);
  });

  it("each say in their README what every header is for", () => {
    for (const room of Object.keys(ROOMS)) {
      const folder = join(root, "engine", room);
      const text = readFileSync(join(folder, "README.md"), "utf8");
      const headers = readdirSync(folder).filter((name) => name.endsWith(".h"));
      const missing = headers.filter(
        (name) => !new RegExp(`\\b${name.slice(0, -2)}(?:\\.h\\b|[\`.,])`).test(text),
      );
      expect(missing, room).toEqual([]);
    }
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

describe("the page's state", () => {
  it("can be read where it is handed out, and not written: the compiler says so", () => {
    const { text } = createState();
    // @ts-expect-error: writing it is for actions.
    text.value = "written";
    // @ts-expect-error: nor can it be given to something that writes.
    const given: Signal<string> = text;
    expect(given).toBe(text);
  });

  it("is written only by the files beside it", () => {
    const others = sources.filter((file) => !file.startsWith("web/src/app/"));
    expect(others.filter((file) => /\b(writable|WritableState)\b/.test(read(file)))).toEqual([]);
  });

  it("is made for every page: no module has signals, or what is made of them, of its own", () => {
    const makes = /^(signal|computed|effect|create[A-Z]\w*)$/;
    const ofModules = sources.flatMap((file) =>
      calledOnLoad(file)
        .filter((name) => makes.test(name))
        .map((name) => `${file} calls ${name}`),
    );
    expect(ofModules).toEqual([]);
    // Positive control: the same search finds existing uses.
    expect(calledOnLoad("web/src/views/values/session.ts")).toEqual(["perPage"]);
  });
});

describe("a button", () => {
  it("of an icon alone has a tooltip that says what it does", () => {
    const silent = sources.flatMap((file) =>
      [...read(file).matchAll(/<button\b[\s\S]*?<\/button>/g)]
        .map(([button]) => button)
        .filter((button) => button.includes("<Icon") && button.includes("aria-label="))
        .filter((button) => !button.includes("title="))
        .map((button) => `${file}: ${button}`),
    );
    expect(silent).toEqual([]);
  });
});

describe("a view", () => {
  const folders = readdirSync(join(root, "web/src/views")).filter((name) => !name.includes("."));

  it("is a folder of its name, which the registry lists", () => {
    expect(views.map(({ id }) => id).sort()).toEqual(folders.sort());
  });

  it("is known to others by its index alone, and that to the registry alone", () => {
    const wrong = [...page].flatMap(([file, imports]) =>
      imports
        .filter((to) => viewOf(to) !== "" && viewOf(to) !== viewOf(file))
        .filter((to) => file !== "web/src/views/registry.ts" || !to.endsWith("/index.ts"))
        .map((to) => `${file} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("is named by nobody else: neither shown nor asked for by its id", () => {
    const naming = /showView\([\w.]+, "(\w+)"|\bview\.(?:value|peek\(\)) [!=]?==? "(\w+)"/g;
    const wrong = sources.flatMap((file) =>
      [...read(file).matchAll(naming)]
        .map((match) => match[1] ?? match[2] ?? "")
        .filter((id) => id !== viewOf(file))
        .map((id) => `${file} names ${id}`),
    );
    expect(wrong).toEqual([]);
    // Ids that mean nothing else; an example says what it opens with, as links do.
    const others = [...Object.keys(engineApi), ...views.flatMap(({ opensFor }) => opensFor ?? [])];
    const ids = views.map(({ id }) => id).filter((id) => !others.includes(id));
    expect(ids).toContain("values");
    const outside = sources.filter(
      (file) => viewOf(file) === "" && !file.startsWith("web/src/examples/"),
    );
    const saying = outside.filter((file) => wordsOf(file).some((text) => ids.includes(text)));
    // Icons have names of their own; a remedy of a run is called "devices" by the engine.
    const apart = ["web/src/ui/Icon.tsx", "web/src/app/rewrites.ts"];
    expect(saying.filter((file) => !apart.includes(file))).toEqual([]);
  });
});

/** The words of a file: its strings, the texts of its templates with what is put into them as `$`, its patterns. */
function wordsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const each of part) visit(each);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return;
    const { type, value, regex, quasis } = part as {
      type?: string;
      value?: unknown;
      regex?: { pattern: string };
      quasis?: { value: { raw: string } }[];
    };
    if (type?.startsWith("Import")) return;
    if (regex) found.push(regex.pattern);
    else if ((type === "Literal" || type === "JSXText") && typeof value === "string")
      found.push(value);
    if (quasis) found.push(quasis.map((text) => text.value.raw).join("$"));
    for (const each of Object.values(part)) visit(each);
  };
  visit(parseSync(file, read(file)).program.body);
  return found;
}

describe("what the page knows of HLO", () => {
  const types = [...read("engine/types/element_type.def").matchAll(/"([a-z]+\d\w*|pred)"/g)];
  const ops = engineApi.ops().map(({ name }) => name);
  const notations = engineApi.layoutNotations().map(({ key }) => key);
  const named = new RegExp(
    [
      // Element types, and opcodes that are no words of English.
      `\\b(${[...types.map((type) => type[1]), ...ops.filter((op) => op.includes("-"))].join("|")})\\b`,
      // Notations and their keys; "shape" is a word.
      `^(${notations.filter((key) => key !== "shape").join("|")}):? ?$`,
      // Tiles, types of StableHLO, sigils in front of what is put in and at the ends of patterns.
      "\\bT\\(\\d|tensor<|(^|\\s)[%@]\\$|\\^\\[?[%@]|%\\]?[*+]",
    ].join("|"),
  );
  /** Where a file may, and why. */
  const REASONS: Record<string, string> = {
    "web/src/app/link.ts": "percent-encoding",
    "web/src/app/share.ts": "a link names a device behind an @",
    "web/src/strings.ts": "tells people how to write a type",
    "web/src/views/devices/words.ts": "says what each collective does with the pieces",
    "web/src/app/settings.ts": "the values of a setting are types that hardware multiplies in",
    "web/src/page/words.ts": "the values of a setting are types that hardware multiplies in",
    "web/src/views/precision/PrecisionView.tsx": "the reference is one of two wider types",
    "web/src/views/precision/asking.ts": "the reference is one of two wider types",
    "web/src/views/precision/index.ts": "the reference is one of two wider types",
    "web/src/views/precision/session.ts": "the reference is one of two wider types",
    "web/src/views/precision/words.ts": "the reference is one of two wider types",
    "web/src/views/values/figures/words.ts": "says what large integers are rounded to",
    "web/src/page/InputsPane.tsx":
      "a type that is written in front of an input has a box of its own",
  };

  it("finds what is looked for", () => {
    for (const text of ["f32[2]", "get-tuple-element", "morello", "cute: ", "T(8,128)", "%$", "^%"])
      expect(text).toMatch(named);
    for (const text of ["shape", "100 %", "$ %", "add", "copy"]) expect(text).not.toMatch(named);
    expect(wordsOf("web/src/app/link.ts").length).toBeGreaterThan(20);
  });

  it("comes from the engine: it names no types, opcodes, notations, tiles and sigils", () => {
    const files = sources.filter((file) => !file.startsWith("web/src/examples/"));
    const wrong = files.flatMap((file) =>
      wordsOf(file)
        .filter((text) => named.test(text) && REASONS[file] === undefined)
        .map((text) => `${file}: ${text.slice(0, 80)}`),
    );
    expect(wrong).toEqual([]);
    for (const file of Object.keys(REASONS)) {
      expect(
        wordsOf(file).filter((text) => named.test(text)),
        file,
      ).not.toEqual([]);
    }
  });
});

describe("opcodes outside of engine/ops", () => {
  const named = (path: string): string[] =>
    [...read(path).matchAll(/\bOpcode::k(\w+)/g)].map((match) => match[1] ?? "");
  const outside = [...engine.keys()].filter((path) => roomOf(path) !== "ops");

  it("are named only where there is a reason", () => {
    const without = outside.flatMap((path) => {
      const reasons = Object.keys(NAMED).filter((start) => path.startsWith(start));
      const allowed = reasons.flatMap((start) => NAMED[start]?.[1].split(" ") ?? []);
      if (allowed.includes("*")) return [];
      return named(path)
        .filter((opcode) => !FORM.includes(opcode) && !allowed.includes(opcode))
        .map((opcode) => `${path}: ${opcode}`);
    });
    expect(without).toEqual([]);
  });

  it("no reason is left over", () => {
    const left = Object.entries(NAMED).flatMap(([start, [, opcodes]]) => {
      const found = outside.filter((path) => path.startsWith(start)).flatMap(named);
      return opcodes
        .split(" ")
        .filter((opcode) => opcode !== "*" && !found.includes(opcode))
        .map((opcode) => `${start}: ${opcode}`);
    });
    expect(left).toEqual([]);
  });
});

/** The source files to edit when adding something, shown by an existing example. */
const PLACES: readonly [thing: string, shown: RegExp, files: string[]][] = [
  [
    "an element type",
    /\b(F8E5M2FNUZ|f8e5m2fnuz)\b/,
    ["engine/types/element_type.def", "engine/types/small_float.h"],
  ],
  [
    "an op without attributes",
    /\bk?ScaledDot\b/,
    [
      "engine/ops/ops.def",
      "engine/ops/products/ragged.cc",
      "engine/precision/treatment.cc",
      "engine/standalone/product.cc",
    ],
  ],
  [
    "an op with attributes, in HLO and StableHLO",
    /\b(k?TriangularSolve|triangular_solve)\b/,
    [
      "engine/mlir/ops/numeric.cc",
      "engine/ops/custom_calls/library_targets.cc",
      "engine/ops/ops.def",
      "engine/ops/products/linear_algebra.cc",
      "engine/standalone/factors.cc",
    ],
  ],
  [
    "a kind of attribute",
    /(ATTR_KIND\(|\bRead|\bPrint)Donors\b/,
    ["engine/hlo/attribute_lists.cc", "engine/ops/attr_kind.def"],
  ],
  ["a diagnostic", /"attribute-duplicate"/, ["engine/base/diag.def"]],
  ["an example", /"bf16-packing"/, ["web/src/examples/list.ts"]],
];
/** The Builder has a method for an op, for programs in C++ that want one. */
const BUILDER = /^engine\/hlo\/builder/;

describe("a thing of a kind", () => {
  const code = /\.(cc|h|def|tsx?)$/;
  const all = ["engine", "wasm", "web/src"].flatMap((room) => filesBelow(room, code));

  it.each(PLACES)("%s is said in few files", (_, shown, files) => {
    const found = all.filter((path) => !BUILDER.test(path) && shown.test(read(path)));
    expect(found.sort()).toEqual(files);
  });

  it("a command is said in one file", () => {
    const pages = filesBelow("web/src", /\.tsx?$/)
      .filter((path) => !path.startsWith("web/src/examples/"))
      .map(read);
    const twice = commands.filter(
      ({ id }) => pages.filter((text) => text.includes(`id: "${id}"`)).length > 1,
    );
    expect(twice.map(({ id }) => id)).toEqual([]);
  });
});
