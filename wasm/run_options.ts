/**
 * The options of runs, before they cross: the engine takes the default for what is no value of an
 * option. One row per option of RunOptions.
 */
import type { EngineApi, RunOptions } from "./engine_api";

type Rule = "number" | "whole number" | "boolean" | "list" | readonly string[];

const RULES = {
  inputs: "list",
  files: "list",
  deviceInputs: "list",
  hostInputs: "list",
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

function wanted(rule: Rule): string {
  if (rule === "boolean") return "true or false";
  if (rule === "list") return "an array";
  if (typeof rule === "string") return `a ${rule} from 0`;
  return rule.map((word) => JSON.stringify(word)).join(" or ");
}

/** The class of the error about a value; none for a good one. */
function faultOf(rule: Rule, value: unknown) {
  if (rule === "boolean") return typeof value === "boolean" ? undefined : TypeError;
  if (rule === "list") return Array.isArray(value) ? undefined : TypeError;
  if (typeof rule !== "string") {
    if (typeof value !== "string") return TypeError;
    return rule.includes(value) ? undefined : RangeError;
  }
  if (typeof value !== "number") return TypeError;
  const fits = rule === "number" ? Number.isFinite(value) : Number.isInteger(value);
  return fits && value >= 0 ? undefined : RangeError;
}

/** Throws a TypeError or a RangeError about an option that the engine would not take. */
export function checkRunOptions(call: string, args: readonly unknown[]): void {
  const options = args[1];
  if (!CALLS.includes(call) || typeof options !== "object" || options === null) return;
  for (const [name, rule] of Object.entries(RULES)) {
    const value: unknown = (options as Record<string, unknown>)[name];
    const Fault = value === undefined ? undefined : faultOf(rule, value);
    if (!Fault) continue;
    const given = typeof value === "string" ? JSON.stringify(value) : String(value);
    throw new Fault(`${call}: ${name} is ${wanted(rule)}, not ${given}`);
  }
}
