/** Writes the programs of the benchmark. */

type Operands = string | number | readonly string[];

/** The number of elements. */
export const size = (dims: readonly number[]): number => dims.reduce((all, d) => all * d, 1);
/** The type of an array of floats. */
export const f32 = (...dims: number[]): string => `f32[${dims}]`;

const scalars = (name: string, result: string, ...types: string[]) =>
  `${name} {\n${types.map((type, i) => `  p${i} = ${type}[] parameter(${i})\n`).join("")}  ROOT r = ${result}\n}`;
const COMPUTATIONS = [
  scalars("add", "f32[] add(p0, p1)", "f32", "f32"),
  scalars("max", "f32[] maximum(p0, p1)", "f32", "f32"),
  scalars("less", "pred[] compare(p0, p1), direction=LT", "f32", "f32"),
].join("\n");

/** Writes a program, an instruction at a time; every method returns the name of what it made. */
export class Writer {
  readonly #lines: string[] = [];
  #parameters = 0;
  #next = 0;
  readonly shapes = new Map<string, string>();

  #shape(name: string): string {
    return this.shapes.get(name) ?? "";
  }
  op(shape: string, opcode: string, operands: Operands, attributes = ""): string {
    const name = `v${this.#next++}`;
    this.shapes.set(name, shape);
    this.#lines.push(
      `  ${name} = ${shape} ${opcode}(${operands})${attributes && `, ${attributes}`}`,
    );
    return name;
  }
  parameter(shape: string): string {
    return this.op(shape, "parameter", this.#parameters++);
  }
  constant(value: number | string): string {
    return this.op("f32[]", "constant", value);
  }
  dims(name: string): number[] {
    return JSON.parse(this.#shape(name).replace(/^\w+/, "")) as number[];
  }
  /** Of operands of the same shape, or one. */
  map(opcode: string, first: string, ...others: string[]): string {
    return this.op(this.#shape(first), opcode, [first, ...others]);
  }
  fill(value: number, ...dims: number[]): string {
    return this.op(f32(...dims), "broadcast", this.constant(value), "dimensions={}");
  }
  /** Every element with a number. */
  with(opcode: string, x: string, value: number): string {
    return this.map(opcode, x, this.fill(value, ...this.dims(x)));
  }
  /** An array of which x is the part along these dimensions, everywhere the same. */
  spread(x: string, along: number | number[], dims: number[]): string {
    return this.op(f32(...dims), "broadcast", x, `dimensions={${along}}`);
  }
  reduce(x: string, d: number, reducer: "add" | "max" = "add"): string {
    const dims = this.dims(x).filter((_, i) => i !== d);
    const init = this.constant(reducer === "max" ? "-inf" : 0);
    return this.op(f32(...dims), "reduce", [x, init], `dimensions={${d}}, to_apply=${reducer}`);
  }
  /**
   * The product over dimensions ka and kb, of matrices as usual by default; of three dimensions the
   * first is a batch.
   */
  dot(
    a: string,
    b: string,
    [ka, kb] = [this.dims(a).length - 1, Math.max(0, this.dims(b).length - 2)],
  ): string {
    const [da, db] = [this.dims(a), this.dims(b)];
    const batch = da.length === 3 ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "";
    const free = (dims: number[], k: number): number[] =>
      dims.filter((_, i) => i !== k && !(batch && i === 0));
    const shape = [...(batch ? da.slice(0, 1) : []), ...free(da, ka), ...free(db, kb)];
    const attributes = `${batch}lhs_contracting_dims={${ka}}, rhs_contracting_dims={${kb}}`;
    const type = this.#shape(a).replace(/\[.*/, "");
    return this.op(`${type}[${shape}]`, "dot", [a, b], attributes);
  }
  transpose(x: string, ...order: number[]): string {
    const dims = this.dims(x);
    return this.op(f32(...order.map((d) => dims[d] ?? 1)), "transpose", x, `dimensions={${order}}`);
  }
  reshape(x: string, ...dims: number[]): string {
    return this.op(f32(...dims), "reshape", x);
  }
  /** Rows of a matrix, or the innermost ones of three dimensions, sum to 1. */
  softmax(x: string): string {
    const dims = this.dims(x);
    const last = dims.length - 1;
    const kept = dims.map((_, i) => i).slice(0, last);
    const top = this.spread(this.reduce(x, last, "max"), kept, dims);
    const e = this.map("exponential", this.map("subtract", x, top));
    return this.map("divide", e, this.spread(this.reduce(e, last), kept, dims));
  }
  normalized(x: string): string {
    const dims = this.dims(x);
    const share = 1 / (dims[1] ?? 1);
    const mean = this.with("multiply", this.reduce(x, 1), share);
    const centred = this.map("subtract", x, this.spread(mean, 0, dims));
    const squares = this.reduce(this.map("multiply", centred, centred), 1);
    const variance = this.with("add", this.with("multiply", squares, share), 1e-5);
    return this.map("multiply", centred, this.spread(this.map("rsqrt", variance), 0, dims));
  }
  gelu(x: string): string {
    const erf = this.map("erf", this.with("multiply", x, Math.SQRT1_2));
    return this.map("multiply", this.with("multiply", x, 0.5), this.with("add", erf, 1));
  }
  /** The text; results in a tuple if there are several. */
  text(...results: string[]): string {
    const shapes = results.map((name) => this.#shape(name));
    const root = results.length > 1 ? this.op(`(${shapes})`, "tuple", results) : results.join();
    const lines = this.#lines.join("\n").replace(`  ${root} =`, `  ROOT ${root} =`);
    return `HloModule m\n${COMPUTATIONS}\nENTRY e {\n${lines}\n}\n`;
  }
}

/** A program of one operand or several of these shapes; `build` gets the writer and their names. */
export function program(
  shapes: readonly string[],
  build: (writer: Writer, ...operands: string[]) => string,
): string {
  const writer = new Writer();
  return writer.text(build(writer, ...shapes.map((shape) => writer.parameter(shape))));
}
