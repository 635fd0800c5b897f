/** What can be set of a run: a row each, which the popover, links and kept works read. */

export const FILLS = ["random", "zero", "iota", ""] as const;
export type Fill = (typeof FILLS)[number];
export const STAND_INS = ["", "random"] as const;
export type StandIns = (typeof STAND_INS)[number];

export const PRODUCTS = ["", "bf16", "tf32"] as const;
export type Products = (typeof PRODUCTS)[number];
export const MULTIPLY_ADDS = ["", "fused"] as const;
export type MultiplyAdd = (typeof MULTIPLY_ADDS)[number];
export const THREADS = ["", "one"] as const;
export type Threads = (typeof THREADS)[number];

export interface RunSettings {
  seed: number;
  /** Seconds. */
  timeLimit: number;
  /** Bytes. */
  memoryLimit: number;
  /** Instructions that are executed; 0: as many as there are. */
  stepLimit: number;
  /** Bytes of recorded values that are kept. */
  traceLimit: number;
  /** What replaces constants written `{...}`; "" refuses to run them. */
  fillElided: Fill;
  /** What is taken where nothing in the run gives a value; "" lets the run fail. */
  standIns: StandIns;
  /** How products of f32 are computed; "": exactly. */
  products: Products;
  /** How products are added; "": they are rounded first. */
  multiplyAdd: MultiplyAdd;
  /** "": as many as there are cores, where the page may have threads. */
  threads: Threads;
  /** How many devices run the program; 0: as many as its header says. */
  replicas: number;
  partitions: number;
  /** The program runs compiled: its result and its time. */
  runCompiled: boolean;
  /** The values of all instructions are recorded, in a run that keeps them. One of the two is on. */
  recordValues: boolean;
}

/** A number within limits, both for the user and for links. */
interface NumberSetting {
  readonly key:
    | "seed"
    | "timeLimit"
    | "memoryLimit"
    | "stepLimit"
    | "traceLimit"
    | "replicas"
    | "partitions";
  readonly default: number;
  readonly least: number;
  readonly most: number;
  /** The unit in which it is shown and typed. */
  readonly unit: number;
  readonly isWhole: boolean;
  /** The maximum for links that others wrote: the default. */
  readonly isLimit: boolean;
}

/** One of some words. */
interface ChoiceSetting {
  readonly key: "fillElided" | "standIns" | "products" | "multiplyAdd" | "threads";
  readonly default: Fill | Products | MultiplyAdd | Threads;
  readonly choices: readonly (Fill | Products | MultiplyAdd | Threads)[];
}

/** Something that is done or not. */
interface SwitchSetting {
  readonly key: "runCompiled" | "recordValues";
  readonly default: true;
  /** The setting that is on where this one is off. */
  readonly other: "runCompiled" | "recordValues";
}

const MIB = 2 ** 20;

export const SETTINGS: readonly (NumberSetting | ChoiceSetting | SwitchSetting)[] = [
  {
    ...{ key: "seed", default: 0, least: 0, most: 2 ** 31 },
    ...{ unit: 1, isWhole: true, isLimit: false },
  },
  {
    ...{ key: "timeLimit", default: 10, least: 0.1, most: 3600 },
    ...{ unit: 1, isWhole: false, isLimit: true },
  },
  {
    ...{ key: "memoryLimit", default: 2 ** 30, least: MIB, most: 3500 * MIB },
    ...{ unit: MIB, isWhole: true, isLimit: true },
  },
  {
    ...{ key: "stepLimit", default: 0, least: 0, most: 2 ** 53 - 1 },
    ...{ unit: 1, isWhole: true, isLimit: false },
  },
  {
    ...{ key: "traceLimit", default: 256 * MIB, least: MIB, most: 2048 * MIB },
    ...{ unit: MIB, isWhole: true, isLimit: true },
  },
  { key: "fillElided", default: "random", choices: FILLS },
  { key: "standIns", default: "", choices: STAND_INS },
  { key: "products", default: "", choices: PRODUCTS },
  { key: "multiplyAdd", default: "", choices: MULTIPLY_ADDS },
  { key: "threads", default: "", choices: THREADS },
  {
    ...{ key: "replicas", default: 0, least: 0, most: 1024 },
    ...{ unit: 1, isWhole: true, isLimit: false },
  },
  {
    ...{ key: "partitions", default: 0, least: 0, most: 1024 },
    ...{ unit: 1, isWhole: true, isLimit: false },
  },
  { key: "runCompiled", default: true, other: "recordValues" },
  { key: "recordValues", default: true, other: "runCompiled" },
];

export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTINGS.map((setting) => [setting.key, setting.default]),
) as unknown as RunSettings;

/** The settings among some fields: numbers are clamped, invalid ones left out. */
export function readSettings(fields: Readonly<Record<string, unknown>>): Partial<RunSettings> {
  const read: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const value = fields[setting.key];
    if ("other" in setting) {
      if (value === false && read[setting.other] !== false) read[setting.key] = false;
    } else if ("choices" in setting) {
      const choice = setting.choices.find((name) => name === value);
      if (choice !== undefined && choice !== setting.default) read[setting.key] = choice;
    } else if (typeof value === "number" && Number.isFinite(value) && value >= 0) {
      const clamped = Math.min(Math.max(value, setting.least), setting.most);
      read[setting.key] = setting.isWhole ? Math.floor(clamped) : clamped;
    }
  }
  return read;
}

/** The settings that are the engine's: which runs there are is the page's own. */
export function engineSettings({ runCompiled, recordValues, ...rest }: RunSettings) {
  return rest;
}

/** The settings that differ from their defaults. */
export function changedSettings(settings: RunSettings): Partial<RunSettings> {
  const changed = SETTINGS.filter(({ key, default: usual }) => settings[key] !== usual);
  return Object.fromEntries(changed.map(({ key }) => [key, settings[key]]));
}

/** Whether a link's program may run automatically: within the default limits. */
export function isModest(settings: RunSettings): boolean {
  return SETTINGS.every(
    (setting) =>
      !("isLimit" in setting) || !setting.isLimit || settings[setting.key] <= setting.default,
  );
}
