/**
 * Inputs of what is no longer in the text, for when it comes back, as by undo: of whole programs by
 * their text, and of parameters that an edit took out by their names and types.
 */
import type { ParameterInfo } from "../../../wasm/engine_api";
import { type App, perPage } from "./app";
import type { InputSpec } from "./state";

/** So many programs, and so many parameters, are remembered. */
const MOST = 16;

interface LeftInputs {
  programs: Map<string, readonly InputSpec[]>;
  parameters: Map<string, InputSpec>;
}

const leftInputs = perPage((): LeftInputs => ({ programs: new Map(), parameters: new Map() }));

export const typeOf = ({ openType, shape }: ParameterInfo): string => openType || shape;
const isGiven = ({ text, file }: InputSpec): boolean => text !== "" || file !== null;
const keyOf = (parameter: ParameterInfo): string => `${parameter.name} ${typeOf(parameter)}`;

/** The oldest is forgotten where there are too many. */
function remember<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key);
  all.set(key, value);
  const [oldest] = all.keys();
  if (all.size > MOST && oldest !== undefined) all.delete(oldest);
}

/** The program that is there is about to be another one. `text`: it, where it was edited since it was read. */
export function rememberProgram(app: App, text = app.state.programText.peek()): void {
  const { programs, parameters } = leftInputs(app);
  parameters.clear();
  const given = app.state.inputs.peek();
  if (given.some(isGiven)) remember(programs, text, given);
}

/** The inputs that a program had when it was left; null: it was not, or had none. */
export function takeLeft(app: App, text: string): InputSpec[] | null {
  const { programs } = leftInputs(app);
  const inputs = programs.get(text);
  programs.delete(text);
  return inputs ? [...inputs] : null;
}

/** The inputs after an edit, with those of parameters that are back; what went is remembered. */
export function withReturned(
  app: App,
  inputs: InputSpec[],
  before: readonly ParameterInfo[],
  kept: InputSpec[],
  after: readonly ParameterInfo[],
): InputSpec[] {
  const { parameters } = leftInputs(app);
  const returned = after.map((parameter, i) => {
    const own = kept[i];
    const left = parameters.get(keyOf(parameter));
    if (!left || (own && isGiven(own))) return null;
    return before.some((old) => keyOf(old) === keyOf(parameter)) ? null : left;
  });
  const stays = new Set(kept);
  before.forEach((parameter, i) => {
    const input = inputs[i];
    if (input && isGiven(input) && !stays.has(input)) {
      remember(parameters, keyOf(parameter), input);
    }
  });
  if (returned.every((input) => input === null)) return kept;
  return returned.map((input, i) => input ?? kept[i] ?? { text: "", file: null });
}
