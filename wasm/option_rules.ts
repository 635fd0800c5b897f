/** Rules about the values of arguments and options: each throws an error that says what is allowed. */
import { described } from "./described";

/** Checks a value, which a message names by `where`: "run: inputs[0]". */
export interface Rule<T> {
  (where: string, value: unknown): void;
  /** For types alone: what the values that pass are. */
  readonly passes?: T;
}

/** One rule for each member: the compiler sees that none is missing, and none too many. */
export type Rules<O> = { readonly [K in keyof O]-?: Rule<Required<O>[K]> };

function refuse(where: string, wanted: string, value: unknown, Fault = TypeError): never {
  throw new Fault(`${where} is ${wanted}, not ${described(value)}`);
}

function ruleOf<T>(wanted: string, isGood: (value: unknown) => boolean): Rule<T> {
  return (where, value) => {
    if (!isGood(value)) refuse(where, wanted, value);
  };
}

/** Numbers: one that is out of range is a RangeError. */
function numberRule(wanted: string, isGood: (value: number) => boolean): Rule<number> {
  return (where, value) => {
    if (typeof value !== "number") refuse(where, wanted, value);
    if (!isGood(value)) refuse(where, wanted, value, RangeError);
  };
}

export const amount = numberRule("a number from 0", (n) => Number.isFinite(n) && n >= 0);
export const count = numberRule("a whole number from 0", (n) => Number.isInteger(n) && n >= 0);
/** Where -1 has a meaning of its own. */
export const integer = numberRule("a whole number", Number.isInteger);
export const flag = ruleOf<boolean>("true or false", (value) => typeof value === "boolean");
export const text = ruleOf<string>("a text", (value) => typeof value === "string");
export const bytes = ruleOf<Uint8Array>("a Uint8Array", (value) => ArrayBuffer.isView(value));
export const callable = ruleOf<(...args: never[]) => unknown>(
  "a function",
  (value) => typeof value === "function",
);

/** How the elements of an array are written. */
export const literal = ruleOf<string>(
  'a text such as "{1, 2, 3}" or "iota" (typed arrays are what the function of compile() takes)',
  (value) => typeof value === "string",
);

export function oneOf<T extends string>(words: readonly T[]): Rule<T> {
  const wanted = words.map((word) => JSON.stringify(word)).join(" or ");
  return ruleOf(wanted, (value) => words.includes(value as T));
}

/** The words of a type, all of which the compiler wants here. */
export function words<T extends string>(all: Readonly<Record<NoInfer<T>, true>>): Rule<T> {
  return oneOf(Object.keys(all) as T[]);
}

export function list<T>(element: Rule<T>): Rule<T[]> {
  return (where, value) => {
    if (!Array.isArray(value)) refuse(where, "an array", value);
    for (let i = 0; i < value.length; i++) element(`${where}[${i}]`, value[i]);
  };
}

/** A member that is left out has its default, but for those in `needed`. */
function checkMembers<O>(
  rules: Rules<O>,
  value: object,
  nameOf: (member: string) => string,
  needed: readonly string[] = [],
): void {
  const known = rules as Record<string, Rule<unknown>>;
  for (const [member, rule] of Object.entries(known)) {
    const given = (value as Record<string, unknown>)[member];
    if (given !== undefined || needed.includes(member)) rule(nameOf(member), given);
  }
  const isStrange = ([member, given]: [string, unknown]): boolean =>
    given !== undefined && !Object.hasOwn(known, member);
  const [strange] = Object.entries(value).find(isStrange) ?? [];
  if (strange === undefined) return;
  const allowed = Object.keys(known).join(", ");
  throw new TypeError(`${nameOf(strange)} is no option; there are: ${allowed}`);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object in a list or an option. */
export function record<O>(rules: Rules<O>, ...needed: (keyof O & string)[]): Rule<O> {
  return (where, value) => {
    if (!isObject(value) || ArrayBuffer.isView(value)) refuse(where, "an object", value);
    checkMembers(rules, value, (member) => `${where}.${member}`, needed);
  };
}

/** The options of a call, whose messages name them without the argument. */
export function options<O>(rules: Rules<O>): Rule<O> {
  return (where, value) => {
    if (!isObject(value) || ArrayBuffer.isView(value)) refuse(where, "an object", value);
    const [call] = where.split(":");
    checkMembers(rules, value, (member) => `${call}: ${member}`);
  };
}

/** A value of the one kind if it is a text, else of the other. */
export function textOr<S extends string, T>(ofText: Rule<S>, other: Rule<T>): Rule<S | T> {
  return (where, value) => (typeof value === "string" ? ofText : other)(where, value);
}

/** The same where undefined has a meaning: an element of a list that is left out. */
export function orLeftOut<T>(rule: Rule<T>): Rule<T> {
  return (where, value) => {
    if (value !== undefined) rule(where, value);
  };
}

/** The same where null has a meaning. */
export function orNull<T>(rule: Rule<T>): Rule<T | null> {
  return (where, value) => {
    if (value !== null) rule(where, value);
  };
}
