/**
 * A small stand-in for the engine: enough of HLO and of tiled layouts for tests of the page's own
 * code. It knows instructions by a pattern, values as iota, and layouts by the published formula.
 */
import type {
  AddressInfo,
  ByteInfo,
  CheckResult,
  ComputationInfo,
  ConvertResult,
  EngineApi,
  FilmInfo,
  InstructionInfo,
  LayoutAdvice,
  LayoutInfo,
  LinearWindow,
  LogicalWindow,
  MemoryReport,
  PlaceInfo,
  ProgramMemory,
  RelayoutInfo,
  RunResult,
  ScriptOptions,
  ScriptResult,
  TextRange,
  TraceEntry,
  ValueInfo,
  ValueRef,
  WindowSpec,
} from "../../wasm/engine_api";

const BITS: Record<string, number> = { pred: 8, s4: 4, s8: 8, bf16: 16, f32: 32, s32: 32, f64: 64 };
const SHAPE = /^([a-z]\w*)\[([\d,]*)\](?:\{([\d,]*)(?::(.*))?\})?$/;
const LINE =
  /^\s*(ROOT )?%?([\w.-]+) = (\([^)]*\)|\w+\[[\d,]*\](?:\{[^}]*\})?) ([\w-]+)\(([^)]*)\)/gm;

const numbers = (text: string): number[] => (text ? text.split(",").map(Number) : []);
const product = (sizes: number[]): number => sizes.reduce((a, b) => a * b, 1);

interface Parsed {
  info: LayoutInfo;
  /** Major to minor: logical dimensions, and sizes after every tile. */
  order: number[];
}

function parse(shape: string): Parsed {
  const match = SHAPE.exec(shape.trim());
  const type = match?.[1] ?? "";
  const dims = numbers(match?.[2] ?? "");
  const minorToMajor = match?.[3] ? numbers(match[3]) : dims.map((_, d) => dims.length - 1 - d);
  const rest = match?.[4] ?? "";
  const tiles = [...(/^T((?:\([\d,*]+\))+)/.exec(rest)?.[1] ?? "").matchAll(/\(([^)]*)\)/g)].map(
    (tile) => (tile[1] ?? "").split(",").map((n) => (n === "*" ? -1 : Number(n))),
  );
  const bits = Number(/E\((\d+)\)/.exec(rest)?.[1] ?? 0) || (BITS[type] ?? 0);
  const order = [...minorToMajor].reverse();
  const physicalDims = tiled(
    order.map((d) => dims[d] ?? 1),
    order.map(() => 0),
    tiles,
  ).sizes;
  const physical = product(physicalDims);
  const ok = match !== null && bits > 0 && minorToMajor.length === dims.length;
  const fault = { code: "shape", severity: "error" as const, notes: [], fixes: [] };
  return {
    order,
    info: {
      ok,
      diagnostics: ok
        ? []
        : [{ ...fault, range: [0, shape.length], message: `"${shape}" is no shape` }],
      notation: "shape",
      subject: shape.trim(),
      shape: shape.trim(),
      elementType: type,
      elementBits: bits,
      dims,
      minorToMajor,
      tiles,
      physicalDims,
      logicalElements: product(dims),
      physicalElements: physical,
      logicalBytes: Math.ceil((product(dims) * bits) / 8),
      physicalBytes: Math.ceil((physical * bits) / 8),
      sizes: "",
      causes: [],
      memorySpace: 0,
      paddedDims: dims,
      formula: "",
      paddingValue: "",
      terms: [{ term: "rank", text: String(dims.length) }],
      facts: [],
    },
  };
}

/** Sizes and indices, major to minor, after every tile. */
function tiled(sizes: number[], index: number[], tiles: number[][]) {
  let s = [...sizes];
  let e = [...index];
  for (const tile of tiles) {
    while (s.length < tile.length) {
      s = [1, ...s];
      e = [0, ...e];
    }
    const at = s.length - tile.length;
    const ds: number[] = [];
    const es: number[] = [];
    const ts: number[] = [];
    let [size, i] = [1, 0];
    tile.forEach((t, k) => {
      size *= s[at + k] ?? 1;
      i = i * (s[at + k] ?? 1) + (e[at + k] ?? 0);
      if (t < 0) return;
      ds.push(size);
      es.push(i);
      ts.push(t);
      [size, i] = [1, 0];
    });
    const up = (d: number, k: number): number => Math.ceil(d / (ts[k] ?? 1));
    const down = (d: number, k: number): number => Math.floor(d / (ts[k] ?? 1));
    s = [...s.slice(0, at), ...ds.map(up), ...ts];
    e = [...e.slice(0, at), ...es.map(down), ...es.map((d, k) => d % (ts[k] ?? 1))];
  }
  return { sizes: s, index: e };
}

function offsetOf({ info, order }: Parsed, index: number[]): number {
  const result = tiled(
    order.map((d) => info.dims[d] ?? 1),
    order.map((d) => index[d] ?? 0),
    info.tiles,
  );
  return result.index.reduce((sum, i, k) => sum * (result.sizes[k] ?? 1) + i, 0);
}

function* elements(dims: number[]): Generator<number[]> {
  for (let n = 0; n < product(dims); n++) {
    let rest = n;
    const index = dims.map(() => 0);
    for (let d = dims.length - 1; d >= 0; d--) {
      index[d] = rest % (dims[d] ?? 1);
      rest = Math.floor(rest / (dims[d] ?? 1));
    }
    yield index;
  }
}

function linear(parsed: Parsed, begin: number, count: number): LinearWindow {
  const rank = parsed.info.dims.length;
  const indices = new Float64Array(count * rank).fill(-1);
  for (const index of elements(parsed.info.dims)) {
    const at = offsetOf(parsed, index) - begin;
    if (at >= 0 && at < count) indices.set(index, at * rank);
  }
  return { begin, count, indices };
}

/** Row-major indices of a window; null outside the array. */
function windowIndices(dims: number[], spec: WindowSpec): (number[] | null)[] {
  const out: (number[] | null)[] = [];
  for (let r = 0; r < spec.rows; r++) {
    for (let c = 0; c < spec.cols; c++) {
      const index = [...spec.origin];
      if (spec.rowDim >= 0) index[spec.rowDim] = (index[spec.rowDim] ?? 0) + r;
      if (spec.colDim >= 0) index[spec.colDim] = (index[spec.colDim] ?? 0) + c;
      out.push(index.every((i, d) => i >= 0 && i < (dims[d] ?? 0)) ? index : null);
    }
  }
  return out;
}

const flat = (dims: number[], index: number[]): number =>
  index.reduce((sum, i, d) => sum * (dims[d] ?? 1) + i, 0);

function instructions(text: string): (InstructionInfo & { args: string })[] {
  return [...text.matchAll(LINE)].map((match) => {
    const begin = (match.index ?? 0) + (/^\s*/.exec(match[0])?.[0].length ?? 0);
    const [whole = "", root, name = "", shape = "", opcode = "", args = ""] = match;
    const nameAt = text.indexOf(name, begin);
    const shapeAt = text.indexOf(shape, nameAt);
    return {
      name,
      opcode,
      shape,
      args,
      range: [begin, (match.index ?? 0) + whole.length] as TextRange,
      nameRange: [nameAt, nameAt + name.length] as TextRange,
      shapeRange: [shapeAt, shapeAt + shape.length] as TextRange,
      operands: [],
      attributes: [],
      root: root !== undefined,
    };
  });
}

function infoOf(shape: string): ValueInfo {
  if (shape.startsWith("(")) {
    const elements = shape.slice(1, -1).split(/,\s+/).map(infoOf);
    return {
      shape,
      kind: "tuple",
      elementType: "",
      dims: [],
      bytes: 0,
      preview: "(...)",
      elements,
    };
  }
  const { info } = parse(shape);
  return {
    shape,
    kind: "array",
    elementType: info.elementType,
    dims: info.dims,
    bytes: info.logicalBytes,
    preview: "{0, 1, 2, ...}",
    elements: [],
  };
}

export class FakeEngine implements EngineApi {
  /** Dimensions of the values of the last run, by trace id. */
  #trace: TraceEntry[] = [];

  version(): string {
    return "fake";
  }
  ops() {
    const op = { source: "Broadcast", differs: "", types: "all", evaluated: true, attributes: [] };
    return [
      { ...op, name: "add", doc: "Adds two arrays element by element.", operands: ["lhs", "rhs"] },
      { ...op, name: "dot", doc: "Contracts dimensions.", operands: ["lhs", "rhs"] },
    ];
  }
  check(text: string): CheckResult {
    const all = instructions(text);
    const at = text.indexOf("BAD");
    const fault = { code: "unknown-opcode", severity: "error" as const, notes: [], fixes: [] };
    return {
      kind: text.trim() ? "hlo" : "empty",
      ok: at < 0,
      diagnostics:
        at < 0 ? [] : [{ ...fault, range: [at, at + 3], message: 'unknown opcode "BAD"' }],
      module: /HloModule (\w+)/.exec(text)?.[1] ?? "",
      parameters: all
        .filter((i) => i.opcode === "parameter" && i.range[0] > text.indexOf("ENTRY"))
        .map(({ name, shape, range }) => ({ name, shape, range, openType: "" })),
      wantsInputs: false,
      result: all.filter((i) => i.root).at(-1)?.shape ?? "",
      instructionCount: all.length,
      computationCount: 1,
      replicaCount: 1,
      numPartitions: 1,
    };
  }
  tokens(text: string): Uint32Array {
    const out: number[] = [];
    const kinds: [RegExp, number][] = [
      [/\/\/.*/y, 8],
      [/HloModule|ENTRY|ROOT/y, 0],
      [/[a-z]\w*(?=\[)/y, 5],
      [/[a-z][\w-]*(?=\()/y, 1],
      [/[a-z_]+(?==)/y, 4],
      [/[A-Za-z_%][\w.]*/y, 2],
      [/-?\d[\d.e]*/y, 6],
      [/[^\s\w]/y, 9],
    ];
    for (let at = 0; at < text.length; ) {
      let next = at + 1;
      for (const [pattern, kind] of kinds) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (!match) continue;
        next = at + match[0].length;
        out.push(kind, at, next);
        break;
      }
      at = next;
    }
    return Uint32Array.from(out);
  }
  outline(text: string): ComputationInfo[] {
    const all = instructions(text);
    if (all.length === 0) return [];
    const range: TextRange = [0, text.length];
    return [{ name: "main", entry: true, range, nameRange: [0, 0], instructions: all }];
  }
  place(text: string, offset: number): PlaceInfo {
    const at = instructions(text).find((i) => offset >= i.range[0] && offset <= i.range[1]);
    return {
      kind: at ? "instruction" : "none",
      range: at?.range ?? [offset, offset],
      instruction: at?.name ?? "",
      computation: at ? "main" : "",
      opcode: at?.opcode ?? "",
      shape: at?.shape ?? "",
      title: at ? `%${at.name} = ${at.shape}` : "",
      lines: [],
      definition: at?.nameRange ?? null,
      uses: [],
    };
  }
  definition(text: string, name: string): TextRange | null {
    return instructions(text).find((i) => i.name === name)?.nameRange ?? null;
  }
  complete() {
    return { from: 0, items: [] };
  }
  format(text: string): string {
    return text;
  }
  /** A line for a line, as far as the pattern of instructions goes. */
  convert(text: string, { to }: { to: "stablehlo" | "hlo" }): ConvertResult {
    const result = { from: "hlo", to, text: "", diagnostics: [], lines: [] };
    const at = text.indexOf("BAD");
    if (at >= 0) {
      const diagnostics = this.check(text).diagnostics;
      return { ...result, ok: false, diagnostics };
    }
    const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
    const all = instructions(text).filter((i) => i.opcode !== "parameter");
    return {
      ...result,
      ok: true,
      text: all.map((i) => `%${i.name} = stablehlo.${i.opcode} ${i.args}`).join("\n"),
      lines: all.map((i, line) => [lineOf(i.range[0]), line]),
    };
  }
  pythonScript(text: string, { handle, inputs }: ScriptOptions): ScriptResult {
    const said = `# ${text.length} ${inputs?.join(";")}${handle ? ` of run ${handle}` : ""}`;
    return { ok: true, text: said, diagnostics: [] };
  }
  run(text: string): RunResult {
    this.#trace = instructions(text).map((i, id) => ({
      id,
      name: i.name,
      opcode: i.opcode,
      computation: "main",
      iterations: [],
      depth: 0,
      range: i.range,
      value: infoOf(i.shape),
      dropped: false,
    }));
    return {
      ok: true,
      diagnostics: [],
      handle: 1,
      output: this.#trace.at(-1)?.value ?? null,
      inputs: [],
      trace: this.#trace,
      traceCount: this.#trace.length,
      seconds: 0.001,
      steps: this.#trace.length,
      peakBytes: 1000,
    };
  }
  #value(ref: ValueRef): ValueInfo {
    const entry = typeof ref.entry === "number" ? this.#trace[ref.entry] : this.#trace.at(-1);
    let value = entry?.value;
    for (const step of ref.path) value = value?.elements[step];
    if (!value) throw new Error("no such value");
    return value;
  }
  valueWindow(ref: ValueRef, spec: WindowSpec) {
    const { dims } = this.#value(ref);
    const values = windowIndices(dims, spec).map((i) => (i ? flat(dims, i) : Number.NaN));
    return {
      rows: spec.rows,
      cols: spec.cols,
      text: values.map((v) => (Number.isNaN(v) ? "" : String(v))),
      numbers: Float64Array.from(values),
    };
  }
  valueStats(ref: ValueRef) {
    const count = product(this.#value(ref).dims);
    const mean = (count - 1) / 2;
    return { count, min: 0, max: count - 1, mean, nans: 0, infinities: 0, firstNonFinite: null };
  }
  valueText(ref: ValueRef): string {
    return this.#value(ref).preview;
  }
  valueNpy(): Uint8Array {
    return new Uint8Array([0x93]);
  }
  memory(ref: ValueRef, shape: string, begin: number, count: number) {
    const parsed = parse(shape);
    const { dims } = this.#value(ref);
    const size = parsed.info.elementBits / 8;
    const bytes = new Uint8Array(count);
    const padding = new Uint8Array(count).fill(1);
    for (const index of elements(dims)) {
      const at = offsetOf(parsed, index) * size - begin;
      for (let k = 0; k < size; k++) {
        if (at + k < 0 || at + k >= count) continue;
        padding[at + k] = 0;
        if (k === 0) bytes[at + k] = flat(dims, index) & 255;
      }
    }
    return { begin, bytes, padding };
  }
  memoryByte(ref: ValueRef, shape: string, byte: number): ByteInfo {
    const [value = -1] = this.memory(ref, shape, byte, 1).bytes;
    return { value, parts: [] };
  }
  release(): void {}
  layout(shape: string): LayoutInfo {
    return parse(shape).info;
  }
  logicalWindow(shape: string, spec: WindowSpec): LogicalWindow {
    const parsed = parse(shape);
    const all = windowIndices(parsed.info.dims, spec);
    const offsets = Float64Array.from(all, (index) => (index ? offsetOf(parsed, index) : -1));
    return { rows: spec.rows, cols: spec.cols, offsets };
  }
  linearWindow(shape: string, begin: number, count: number): LinearWindow {
    return linear(parse(shape), begin, count);
  }
  address(shape: string, index: number[]): AddressInfo {
    const parsed = parse(shape);
    const offset = offsetOf(parsed, index);
    const byteOffset = Math.floor((offset * parsed.info.elementBits) / 8);
    return {
      ok: true,
      offset,
      byteOffset,
      bitInByte: 0,
      tileIndex: [],
      withinTile: [],
      steps: [{ title: "Linear index", lines: [`offset = ${offset}`] }],
    };
  }
  film(subject: string): FilmInfo {
    const { info } = parse(subject);
    const frame = { slots: info.logicalElements, effect: "bitcast" as const, permutation: [] };
    return {
      ok: info.ok,
      diagnostics: info.diagnostics,
      frames: [
        { ...frame, kind: "start", title: "the array", dims: info.dims },
        { ...frame, kind: "place", title: "the buffer", dims: [info.physicalElements] },
      ],
    };
  }
  filmPlaces(subject: string, index: number[]): number[][] {
    return [index, [offsetOf(parse(subject), index)]];
  }
  filmWindow(subject: string, frame: number, begin: number, count: number): LinearWindow {
    const parsed = parse(subject);
    const rowMajor = parsed.info.dims.map((_, d) => parsed.info.dims.length - 1 - d);
    const plain = `${parsed.info.elementType}[${parsed.info.dims.join()}]{${rowMajor.join()}}`;
    return linear(frame === 0 ? parse(plain) : parsed, begin, count);
  }
  relayout(from: string, to: string): RelayoutInfo {
    const [a, b] = [parse(from).info, parse(to).info];
    const bitcast = a.shape === b.shape;
    return {
      ok: a.ok && b.ok,
      diagnostics: [],
      problem: "",
      bitcast,
      reason: bitcast ? "a bitcast" : "a copy",
      elements: a.logicalElements,
      bytesRead: a.logicalBytes,
      bytesWritten: b.logicalBytes,
      fromBytes: a.physicalBytes,
      toBytes: b.physicalBytes,
      runs: 1,
      runBytes: 4,
      linesRead: Math.ceil(a.physicalBytes / 64),
      linesWritten: Math.ceil(b.physicalBytes / 64),
    };
  }
  layoutAdvice(shape: string): LayoutAdvice {
    const { info } = parse(shape);
    const candidate = {
      shape: info.shape,
      bytes: info.physicalBytes,
      padding: info.physicalBytes - info.logicalBytes,
      expansion: 1,
      cause: "no padding",
      note: "as written",
    };
    return {
      ok: info.ok,
      diagnostics: info.diagnostics,
      tpu: { ...candidate, rule: "32 bits: tile (8,128)" },
      candidates: [candidate],
    };
  }
  memoryReport(): MemoryReport {
    const size = { bytes: 4096, unpaddedBytes: 64, paddingBytes: 4032, cause: "tile (8,128)" };
    const buffer = { name: "%copy.1", shape: "f32[2,8]{1,0:T(8,128)}", type: "HLO temp" };
    return {
      ok: true,
      diagnostics: [],
      space: "hbm",
      used: 8192,
      capacity: 4096,
      exceeded: 4096,
      totals: [{ name: "program", bytes: 8192, text: "8.0K" }],
      buffers: [
        {
          ...size,
          ...buffer,
          opName: "jit(f)/copy",
          source: "a.py:1",
          space: "",
          range: [0, 4],
          begin: -1,
          end: -1,
        },
      ],
    };
  }
  programMemory(): ProgramMemory {
    const size = { bytes: 4096, unpaddedBytes: 64, paddingBytes: 4032, cause: "tile (8,128)" };
    const buffer = { name: "p", shape: "f32[2,8]{1,0:T(8,128)}", type: "parameter" };
    return {
      ok: true,
      diagnostics: [],
      computation: "main",
      complete: true,
      positions: 1,
      spaces: [
        {
          space: 0,
          name: "HBM",
          doc: "the device's main memory",
          peakBytes: 4096,
          peakAt: 0,
          peakName: "p",
          peakPadding: 4032,
          parameterBytes: 4096,
          constantBytes: 0,
          outputBytes: 0,
          temporaryBytes: 0,
          timeline: [4096],
        },
      ],
      buffers: [
        {
          ...size,
          ...buffer,
          opName: "",
          source: "",
          space: "HBM",
          range: [0, 1],
          begin: 0,
          end: 0,
        },
      ],
    };
  }
  layoutNotations() {
    return [{ key: "shape", name: "XLA", doc: "", example: "f32[2]{0}" }];
  }
  layoutConversions(subject: string) {
    return [{ notation: "shape", name: "XLA", text: subject, reason: "", note: "" }];
  }
  compareLayouts(a: string, b: string) {
    const equal = a === b;
    const same = { comparable: true, exact: true, sameSize: true, sameBits: true };
    return { ...same, equal, difference: null, text: equal ? "The same layout." : "Different." };
  }
}
