/**
 * The options of runs, before they cross: the engine takes the default for what is no value of an
 * option. One row per option of RunOptions.
 */
import type { EngineApi, RunOptions } from "./engine_api";

type Rule = "number" | "whole number" | "boolean" | "list" | "texts" | "values" | readonly string[];

const RULES = {
  inputs: "texts",
  files: "list",
  deviceInputs: "values",
  hostInputs: "values",
  replicas: "whole number",
  partitions: "whole number",
  seed: "whole number",
  trace: "boolean",
  plan: "boolean",
  fingerprint: "boolean",
  generatesCode: "boolean",
  timeLimit: "number",
  memoryLimit: "number",
  stepLimit: "whole number",
  traceWindow: "whole number",
  traceLimit: "number",
  fillElided: ["", "zero", "iota", "random"],
  products: ["", "bf16", "tf32"],
  multiplyAdd: ["", "fused"],
  threads: ["", "one"],
  standIns: ["", "random"],
} satisfies Record<keyof RunOptions, Rule>;

/** The calls whose second argument has such options. */
const CALLS: readonly string[] = [
  "run",
  "makeInput",
  "compileProgram",
  "pythonScript",
  "precision",
  "devices",
  "devicesAt",
  "debug",
  "why",
] satisfies (keyof EngineApi)[];

const isList = (rule: Rule): boolean => ["list", "texts", "values"].includes(rule as string);

/** A value as a message calls it: texts and numbers as they are, of the rest what it is. */
function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  const name = (value.constructor as { name?: string } | undefined)?.name || "Object";
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

function wanted(rule: Rule): string {
  if (rule === "boolean") return "true or false";
  if (isList(rule)) return "an array";
  if (typeof rule === "string") return `a ${rule} from 0`;
  return rule.map((word) => JSON.stringify(word)).join(" or ");
}

/** The class of the error about a value; none for a good one. */
function faultOf(rule: Rule, value: unknown) {
  if (rule === "boolean") return typeof value === "boolean" ? undefined : TypeError;
  if (isList(rule)) return Array.isArray(value) ? undefined : TypeError;
  if (typeof rule !== "string") {
    if (typeof value !== "string") return TypeError;
    return rule.includes(value) ? undefined : RangeError;
  }
  if (typeof value !== "number") return TypeError;
  const fits = rule === "number" ? Number.isFinite(value) : Number.isInteger(value);
  return fits && value >= 0 ? undefined : RangeError;
}

const LIKE_LITERALS =
  'a text such as "{1, 2, 3}" or "iota"; compile() makes a function that takes typed arrays';

/** What is wrong with an element of a list; "" for a good one. */
function elementFault(rule: Rule, element: unknown): string {
  if (rule === "texts") {
    // What is left out has its default.
    if (element === undefined || typeof element === "string") return "";
    return `is ${described(element)}, but an input is ${LIKE_LITERALS}`;
  }
  if (rule !== "values") return "";
  if (typeof element !== "object" || element === null) {
    return `is ${described(element)}, but has to be an object with a value`;
  }
  const { value } = element as { value?: unknown };
  if (typeof value === "string") return "";
  return `has the value ${described(value)}, but a value is ${LIKE_LITERALS}`;
}

function checkElements(call: string, name: string, rule: Rule, list: readonly unknown[]): void {
  for (let i = 0; i < list.length; i++) {
    const fault = elementFault(rule, list[i]);
    if (fault) throw new TypeError(`${call}: ${name}[${i}] ${fault}`);
  }
}

/** Throws a TypeError or a RangeError about an option that the engine would not take. */
export function checkRunOptions(call: string, args: readonly unknown[]): void {
  const options = args[1];
  if (!CALLS.includes(call) || typeof options !== "object" || options === null) return;
  for (const [name, rule] of Object.entries(RULES)) {
    const value: unknown = (options as Record<string, unknown>)[name];
    const Fault = value === undefined ? undefined : faultOf(rule, value);
    if (Fault) throw new Fault(`${call}: ${name} is ${wanted(rule)}, not ${described(value)}`);
    if (Array.isArray(value)) checkElements(call, name, rule, value);
  }
}
