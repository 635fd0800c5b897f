/**
 * Inputs of several devices, in the text of one field: what all of them get, and behind semicolons
 * what some get instead, under their replica and partition (`*`: all of them), as the command
 * writes them: `iota; 0.1: zero; 1.*: {1, 2}`.
 */
import type { CheckResult, RunOptions } from "../../../wasm/engine_api";
import type { RunSettings } from "./settings";

export interface Grid {
  replicas: number;
  partitions: number;
}

export interface Device {
  replica: number;
  partition: number;
}

/** Which devices a part is for: null means all. */
interface Part {
  replica: number | null;
  partition: number | null;
  spec: string;
}

const PART = /^\s*(\*|\d{1,6})\.(\*|\d{1,6})\s*:\s*(.*?)\s*$/s;
const numberOf = (text: string | undefined): number | null => (text === "*" ? null : Number(text));
const textOf = (number: number | null): string => (number === null ? "*" : String(number));

/** The devices that a run of the program has: those of the settings, or else of its header. */
export function gridOf(check: CheckResult | null, settings: RunSettings): Grid {
  return {
    replicas: Math.max(1, settings.replicas || (check?.replicaCount ?? 1)),
    partitions: Math.max(1, settings.partitions || (check?.numPartitions ?? 1)),
  };
}

/** The first devices of a grid, in the order of their numbers. */
export function devicesOf({ replicas, partitions }: Grid, most: number): Device[] {
  const count = Math.min(most, replicas * partitions);
  return Array.from({ length: count }, (_, i) => ({
    replica: Math.floor(i / partitions),
    partition: i % partitions,
  }));
}

/** What all devices get, and what some get instead. What is no such part belongs to the former. */
export function partsOf(text: string): { shared: string; own: Part[] } {
  const [first = "", ...rest] = text.split(";");
  const own: Part[] = [];
  let shared = first;
  for (const piece of rest) {
    const found = PART.exec(piece);
    if (!found) shared += `;${piece}`;
    else {
      const [, replica, partition, spec = ""] = found;
      own.push({ replica: numberOf(replica), partition: numberOf(partition), spec });
    }
  }
  return { shared: own.length > 0 ? shared.trim() : shared, own };
}

function textOfParts(shared: string, own: readonly Part[]): string {
  const parts = own.map(
    (part) => `${textOf(part.replica)}.${textOf(part.partition)}: ${part.spec}`,
  );
  return [shared, ...parts].join("; ");
}

const isFor = (part: Part, { replica, partition }: Device): boolean =>
  (part.replica ?? replica) === replica && (part.partition ?? partition) === partition;

/** What a device gets instead of what all get; "" if nothing. */
export function specOfDevice(text: string, device: Device): string {
  return partsOf(text).own.findLast((part) => isFor(part, device))?.spec ?? "";
}

/** The text with what a device gets; "": the same as all. */
export function withDevice(text: string, device: Device, spec: string): string {
  const { shared, own } = partsOf(text);
  const others = own.filter(
    ({ replica, partition }) => replica !== device.replica || partition !== device.partition,
  );
  // A semicolon would begin another part.
  const written = spec.replaceAll(";", "");
  return textOfParts(
    shared,
    written.trim() === "" ? others : [...others, { ...device, spec: written }],
  );
}

/** The text with what all devices get. */
export function withShared(text: string, shared: string): string {
  const { own } = partsOf(text);
  return own.length > 0 ? textOfParts(shared, own) : shared;
}

/** The inputs as the engine takes them: parts for devices that the run does not have are left out. */
export function engineInputs(
  texts: readonly string[],
  { replicas, partitions }: Grid,
): Required<Pick<RunOptions, "inputs" | "deviceInputs">> {
  const deviceInputs = texts.flatMap((text, parameter) =>
    partsOf(text)
      .own.filter((part) => (part.replica ?? 0) < replicas && (part.partition ?? 0) < partitions)
      .map(({ replica, partition, spec }) => ({
        parameter,
        value: spec,
        ...(replica === null ? {} : { replica }),
        ...(partition === null ? {} : { partition }),
      })),
  );
  return { inputs: texts.map((text) => partsOf(text).shared), deviceInputs };
}
