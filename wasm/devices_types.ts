/** The devices of a run: where data goes from one to another, and how each stands then. */
import type { Diagnostic, TextRange } from "./text_types";

/** An instruction, and where it is written. */
export interface DevicePlace {
  name: string;
  /** As the text writes it, with its computation unless that is the entry. */
  shown: string;
  computation: string;
  opcode: string;
  range: TextRange;
}

/** A device between two steps of the run. */
export interface DeviceState {
  device: number;
  /** Arrays it holds, each counted once, and their bytes; not what it gave where it waits. */
  values: number;
  bytes: number;
  /** The instruction that is next, or waits; null: it has ended. */
  at: DevicePlace | null;
  waits: {
    /** "meeting 1 of devices {0,1}". */
    for: string;
    missing: number[];
  } | null;
}

/** Data that goes from one device to another. */
export interface DeviceFlow {
  from: number;
  to: number;
  /** Which of as many equal pieces as there are members; -1: the whole, or rows. */
  given: number;
  got: number;
  /** [begin, end) of the first dimension, where numbers say which rows go where. */
  givenRows?: [number, number];
  gotRows?: [number, number];
}

/** One collective that devices execute together, or one message. */
export interface DeviceExchange extends DevicePlace {
  shape: string;
  /** How often these devices had executed it before. */
  round: number;
  /** Of the run: before the last of its members comes. */
  position: number;
  members: number[];
  /** What comes to a device is combined by a computation. */
  combines: boolean;
  /** By member; values as text, of large ones the first elements; `got` is null without a result. */
  parts: { device: number; given: string[]; got: string | null }[];
  /** All of pairs and rows; of a pattern those to and from its first 16 members. */
  flows: DeviceFlow[];
  /**
   * Where every member sends to every member, or `root` alone to all, or all to `sink` alone: whether
   * the n-th member gets the n-th piece (`cuts`), and what comes from it is the n-th piece (`joins`).
   */
  pattern: { cuts: boolean; joins: boolean; root: number | null; sink: number | null } | null;
  /** Of a ragged-all-to-all: the rows of what a device gives and gets. */
  rows: { given: number; got: number } | null;
  /** The devices at `position`, the first 256; empty where the answer would be too long. */
  grid: DeviceState[];
}

export interface DevicesResult {
  ok: boolean;
  /** Devices are numbered replica * partitions + partition. */
  replicas: number;
  partitions: number;
  diagnostics: Diagnostic[];
  /** The run has more exchanges than these: at most 500, in the order of their first results. */
  more: boolean;
  exchanges: DeviceExchange[];
  /** The devices where the run ended, or failed. */
  end: DeviceState[];
}

/** A run between two of its steps; what is behind the end is clipped to it. */
export interface DevicesAt {
  position: number;
  /** Steps of the run. */
  length: number;
  /** What the last step did, in a line; "" at the beginning. */
  last: string;
  states: DeviceState[];
  /** What later instructions of the device need: values as text, of large ones the first elements. */
  held: { shown: string; shape: string; text: string }[];
}
