// What the page asks of the engine about a whole program, as calls that can be timed while programs grow.
import process from "node:process";
import { forms } from "./programs.mjs";

/** The slope of log(time) over log(size) by least squares, of points [size, time]. */
export function slopeOf(points) {
  const xs = points.map(([n]) => Math.log(n));
  const ys = points.map(([, t]) => Math.log(Math.max(t, 1e-6)));
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const top = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0);
  return top / xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
}

/** Exponents of time: the slope in the upper half of the sizes. */
export function exponentOf(points) {
  const half = points.slice(Math.min(Math.floor(points.length / 2), points.length - 2));
  return half.length < 2 ? Number.NaN : slopeOf(half);
}

/** Options of a run that ends whenever the program does. */
const RUN = { inputs: [], timeLimit: 100, memoryLimit: 2 ** 31 };
const middle = (text) => Math.floor(text.length / 2);
/** The name of an instruction with two operands in the middle of the program. */
const nameIn = (text) =>
  /\n {2}([\w.]+) = \S+ (?:add|maximum)\(/.exec(
    text.slice(middle(text), middle(text) + 4000),
  )?.[1] ?? "r";

function runAndRelease(engine, text, options) {
  const result = engine.run(text, { ...RUN, ...options });
  engine.release(result.handle);
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
}

/** Compiles the program, with its code, and calls it once: what is not needed before is made in the first call. */
function compileAndCall(engine, text) {
  const program = engine.compile(text, { memoryLimit: RUN.memoryLimit });
  for (const i of program.parameters.keys()) program.argument(i).fill(0.5);
  program.run();
  program.release();
}

/** The one call that needs an earlier version. */
const DIFF = "diff with an edit";

/**
 * By name: the call. `text` is how it names the program, which is open in the engine, as in the page; `about` is
 * what it is about: an offset, the name there, an earlier version, the whole text. The first reads the text.
 */
export const calls = {
  check: (engine, text) => engine.check(text),
  tokens: (engine, text) => engine.tokens(text),
  folds: (engine, text) => engine.folds(text),
  "outline, a window": (engine, text) => engine.outline(text, { begin: 0, count: 1000 }),
  "outline, all windows": (engine, text) => {
    for (let begin = 0; ; begin += 1000) {
      const part = engine.outline(text, { begin, count: 1000 });
      if (part.reduce((sum, { instructions }) => sum + instructions.length, 0) < 1000) return;
    }
  },
  place: (engine, text, { at }) => engine.place(text, at),
  definition: (engine, text, { name }) => engine.definition(text, name),
  rename: (engine, text, { at }) => engine.rename(text, at, "another"),
  complete: (engine, text, { at }) => engine.complete(text, at),
  format: (engine, text) => engine.format(text),
  "convert to StableHLO": (engine, text) => engine.convert(text, { to: "stablehlo" }),
  plan: (engine, text) => engine.plan(text, { as: "plan" }),
  "plan, its code": (engine, text) => engine.plan(text, { as: "code" }),
  graph: (engine, text) => engine.graph(text, {}),
  "graph, a neighborhood": (engine, text, { name }) =>
    engine.graph(text, { focus: { name }, reveal: true, radius: 2 }),
  "graph, a search": (engine, text) => engine.graphSearch(text, "layer7"),
  shardings: (engine, text) => engine.shardings(text, {}),
  shrink: (engine, text) => engine.shrink(text, {}),
  isolate: (engine, text, { name }) =>
    engine.isolate(text, { names: [name], extent: "dependencies" }),
  "passes, all": (engine, text) => engine.passes(text, { count: 0 }),
  "passes, one step more": (engine, text) => engine.passes(text, { step: 6, count: 0 }),
  memory: (engine, text) => engine.programMemory(text, { begin: 0, count: 1000 }),
  "memory, the picture": (engine, text) => engine.memoryPicture(text, {}),
  "memory, savings": (engine, text) => engine.memorySavings(text),
  cost: (engine, text) => engine.cost(text, {}),
  "compile, and call once": (engine, _, { whole }) => compileAndCall(engine, whole),
  run: (engine, text) => runAndRelease(engine, text, { trace: false, generatesCode: true }),
  "run with a trace": (engine, text) => runAndRelease(engine, text, { traceWindow: 1000 }),
  why: (engine, text) => engine.why(text, { ...RUN, first: "nan" }),
  debug: (engine, text) => engine.release(engine.debug(text, RUN).handle),
  precision: (engine, text) => engine.precision(text, { ...RUN, as: "f64" }),
  [DIFF]: (engine, text, { before }) => engine.diff(text, before, {}),
};

/** Calls that take only what they should after another one, which keeps it for them. */
export const needs = { "passes, one step more": "passes, all" };

/** The program with a line changed in the middle: what it is compared with. */
export function edited(text) {
  const at = text.indexOf("\n  ", middle(text));
  const end = text.indexOf("\n", at + 1);
  const line = text.slice(at, end);
  return text.slice(0, at) + line.replace("layer", "level") + text.slice(end);
}

/** Milliseconds that this process has computed: what others do on the machine does not count. */
export function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let turn = 0;
/** A text that the engine has not seen, of the same program. */
export const fresh = (text) => `${text}// ${++turn}\n`;

/** Opens a new program of one form and size, as the document 1, but does not read it yet. */
export function openProgram(engine, form, size) {
  const program = forms[form](size);
  const name = nameIn(program);
  const whole = fresh(program);
  engine.open(1, whole);
  return { name, whole, at: program.indexOf(`\n  ${name} = `) + 4 };
}

/** Milliseconds of one call about the open program. */
export function timeOf(engine, name, about) {
  const given = name === DIFF ? { ...about, before: edited(about.whole) } : about;
  const start = cpu();
  calls[name](engine, { $document: 1 }, given);
  return cpu() - start;
}

/** Times of calls about a program of one form and size: { name: milliseconds }, the best of some. */
export function timesOf(engine, form, size, names = Object.keys(calls), repeats = 1) {
  const times = {};
  for (let i = 0; i < repeats; ++i) {
    const about = openProgram(engine, form, size);
    // Whatever is asked about a program, it is read first.
    for (const name of new Set(["check", ...names])) {
      times[name] = Math.min(times[name] ?? Infinity, timeOf(engine, name, about));
    }
    engine.close(1);
  }
  return times;
}
