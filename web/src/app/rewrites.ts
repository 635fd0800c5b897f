/** Other programs made of the one in the editor: smaller, or a part of it. Loaded when first used. */
import type { IsolateOptions, IsolateResult, RunRemedy } from "../../../wasm/engine_api";
import { words as pageWords } from "../strings";
import { bytes } from "../ui/format";
import { cancelRun, changeSettings, isInFocus, notify, run, setInput, takeText } from "./actions";
import type { App } from "./app";
import { type Grid, gridOf } from "./device_inputs";
import { adoptText } from "./editing";
import { rememberProgram } from "./left_inputs";
import { type InputSpec, type Notice, writable } from "./state";

type Replaced = NonNullable<Notice["action"]>;

const MOST_TEXT = 64;
const MOST_SIZES = 4;

const words = {
  shrunk: (sizes: string, peak: string, constants: number): string =>
    `Sizes of dimensions are smaller now (${sizes}); the program needs ${peak}.` +
    (constants > 0
      ? ` ${constants} ${constants === 1 ? "constant that is such a size follows" : "constants that are such sizes follow"}.`
      : ""),
  more: (count: number): string => `and ${count} more`,
  stuck: (why: string): string => `The program does not become smaller: ${why || "it is small"}.`,
  nothing: (why: string): string =>
    `Nothing is isolated: ${why}. Put the cursor on another instruction, or select some.`,
  isolated: (parameters: number): string =>
    `A program of its own; ${parameters} ${parameters === 1 ? "operand is a parameter" : "operands are parameters"} now.`,
  labels: {
    memory: (limit: number): string => `Raise the memory limit to ${bytes(limit)}`,
    time: (seconds: number): string => `Run for up to ${seconds} s`,
    devices: (replicas: number, partitions: number): string =>
      replicas * partitions === 1
        ? "Run on one device"
        : `Run on ${replicas * partitions} devices (replicas × partitions: ${replicas} × ${partitions})`,
    fill: "Fill {...} with random numbers",
    standIns: "Make up what is missing",
    shrink: "Shrink the arrays",
  },
};

/** What a button says that does what helps. */
export function remedyLabel(remedy: RunRemedy): string {
  const { labels } = words;
  switch (remedy.kind) {
    case "memory":
      return labels.memory(remedy.bytes);
    case "time":
      return labels.time(remedy.seconds);
    case "devices":
      return labels.devices(remedy.replicas, remedy.partitions);
    default:
      return labels[remedy.kind];
  }
}

/** Has a program run by so many devices, whatever others are run by. What it has anyway is not set. */
export function runByDevices(app: App, grid: Grid): void {
  const { check, settings, settingsBefore } = writable(app.state);
  const { replicas, partitions } = { ...settings.peek(), ...settingsBefore.peek() };
  const has = gridOf(check.peek(), settings.peek());
  changeSettings(app, {
    ...(grid.replicas === has.replicas ? {} : { replicas: grid.replicas }),
    ...(grid.partitions === has.partitions ? {} : { partitions: grid.partitions }),
  });
  settingsBefore.value = { ...settingsBefore.peek(), replicas, partitions };
}

/** Does what helps, and runs the program again. */
export async function applyRemedy(app: App, remedy: RunRemedy): Promise<void> {
  switch (remedy.kind) {
    case "memory":
      changeSettings(app, { memoryLimit: remedy.bytes });
      break;
    case "time":
      changeSettings(app, { timeLimit: remedy.seconds });
      break;
    case "devices":
      runByDevices(app, { replicas: remedy.replicas, partitions: remedy.partitions });
      break;
    case "fill":
      changeSettings(app, { fillElided: "random" });
      break;
    case "standIns":
      changeSettings(app, { standIns: "random" });
      break;
    case "shrink":
      return shrinkProgram(app);
  }
  await run(app);
}

/** Takes another text in the place of the program. Tells how that is undone. */
function replaceProgram(app: App, text: string, inputs: readonly InputSpec[]): Replaced {
  const s = writable(app.state);
  const before = takeText(app);
  const [given, example, cursor] = [s.inputs.peek(), s.example.peek(), s.cursor.peek()];
  rememberProgram(app, before);
  adoptText(app, text);
  for (let i = 0; i < Math.max(given.length, inputs.length); i++) {
    setInput(app, i, inputs[i] ?? { text: "", file: null });
  }
  // They are those of the parameters to come, not of those that were.
  s.inputsOf.value = null;
  app.editor?.goTo([0, 0], false);
  const act = (): void => {
    cancelRun(app);
    replaceProgram(app, before, given);
    s.example.value = example;
    app.editor?.goTo([cursor, cursor], false);
  };
  return { label: pageWords.app.undo, act };
}

/** Whether something else was written since an answer about this text was asked for. */
function isChanged(app: App, text: string): boolean {
  return (app.editor?.text() ?? app.state.text.value) !== text;
}

/** The same program on smaller arrays. Inputs that were written out do not fit any more. */
export async function shrinkProgram(app: App): Promise<void> {
  const text = app.editor?.text() ?? app.state.text.value;
  const made = await app.engines.typing.call("shrink", [text]);
  if (isChanged(app, text)) return;
  if (!made.ok) {
    notify(app, words.stuck(made.why), "error");
    return;
  }
  const kept = app.state.inputs.value.map(({ text: spec, file }) =>
    file || /[{([\d]/.test(spec) ? { text: "", file: null } : { text: spec, file: null },
  );
  const undo = replaceProgram(app, made.text, kept);
  const sizes = (made.sizes ?? []).sort((a, b) => b.from - a.from);
  const shown = sizes.slice(0, MOST_SIZES).map(({ from, to }) => `${from} → ${to}`);
  if (sizes.length > MOST_SIZES) shown.push(words.more(sizes.length - MOST_SIZES));
  const said = words.shrunk(shown.join(", "), bytes(made.peakBytes ?? 0), made.constants ?? 0);
  notify(app, said, "info", undo);
  await run(app);
}

/** What is selected in the editor, else the instruction in focus, else the one at the cursor. */
function chosen(app: App): IsolateOptions {
  const selection = app.editor?.selection();
  const { focus, cursor } = app.state;
  if (selection && selection[0] < selection[1]) return { range: selection };
  const { name, computation } = focus.value;
  if (name && isInFocus(app.state, focus.value)) return { names: [name], computation };
  return { range: [cursor.value, cursor.value] };
}

/** The value that a parameter stands for in the last run, as an input; empty without one. */
async function inputOf(
  app: App,
  parameter: NonNullable<IsolateResult["parameters"]>[number],
): Promise<InputSpec> {
  const none = { text: "", file: null };
  const results = app.state.results.value;
  if (!results || results.text !== app.state.text.value) return none;
  const { run: last } = results;
  const iterations = app.state.focus.value.iterations?.join();
  const entries = last.trace.filter(
    (entry) =>
      entry.name === parameter.name &&
      entry.computation === parameter.computation &&
      !entry.dropped,
  );
  const entry = entries.find((each) => each.iterations.join() === iterations) ?? entries.at(-1);
  const value = parameter.input >= 0 ? last.inputs[parameter.input] : entry?.value;
  const source = parameter.input >= 0 ? `input:${parameter.input}` : entry?.id;
  if (!value || source === undefined || value.kind === "token") return none;
  const ref = { handle: last.handle, entry: source, path: [] };
  const count = value.dims.reduce((product, size) => product * size, 1);
  if (value.kind === "tuple" || count <= MOST_TEXT) {
    return { text: await app.engines.results.call("valueText", [ref, MOST_TEXT]), file: null };
  }
  const file = await app.engines.results.call("valueNpy", [ref]);
  return { text: "", file: { name: `${parameter.name}.npy`, bytes: file } };
}

/** The chosen instructions as the program, with the values that their operands had in the last run. */
export async function isolate(
  app: App,
  extent: NonNullable<IsolateOptions["extent"]>,
): Promise<void> {
  await isolateNamed(app, { ...chosen(app), extent });
}

/** The instructions that the options name become the program. */
export async function isolateNamed(app: App, options: IsolateOptions): Promise<void> {
  const text = app.editor?.text() ?? app.state.text.value;
  const made = await app.engines.typing.call("isolate", [text, options]);
  if (!made.ok) {
    notify(app, words.nothing(made.why), "error");
    return;
  }
  const parameters = made.parameters ?? [];
  const inputs = await Promise.all(
    parameters.map((parameter) => inputOf(app, parameter).catch(() => ({ text: "", file: null }))),
  );
  if (isChanged(app, text)) return;
  const undo = replaceProgram(app, made.text, inputs);
  notify(app, words.isolated(parameters.length), "info", undo);
  await run(app);
}
