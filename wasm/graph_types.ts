/** The graph of a program: which boxes and edges a picture of it has. Layout is the front end's. */
import type { Diagnostic, TextRange } from "./text_types";

/** An instruction, by the computation that it is in; "" is any, the entry first. */
export interface InstructionRef {
  computation: string;
  name: string;
}

export interface GraphOptions {
  /** The outermost computation; the entry if it is left out or unknown. */
  computation?: string;
  focus?: InstructionRef;
  /** Opens whatever has to be open for the focus to have a box. */
  reveal?: boolean;
  /** Only what is this many steps from the focus, along operands and along users; -1: everything. */
  radius?: number;
  /** Ids of the boxes that are open. */
  open?: readonly string[];
  /** Constants and broadcasts of scalars are part of their users (default). */
  fold?: boolean;
  /** Boxes of the outermost computation (125); all together are at most twice as many. */
  limit?: number;
  /** What is on the shortest path between two instructions, or on any. */
  path?: { from: InstructionRef; to: InstructionRef; all?: boolean };
  /** The answer also has the picture in the language of Graphviz. */
  dot?: boolean;
}

/** Classes of operations, in the order of a legend. */
export type OpClassName =
  | "parameter"
  | "constant"
  | "elementwise"
  | "movement"
  | "product"
  | "reduction"
  | "fusion"
  | "control"
  | "communication"
  | "random"
  | "custom"
  | "tuple"
  | "other";

interface AnyBox {
  /** What of the program it is: the same in every picture. */
  id: string;
  /** Index of the box that it is in, which comes first; -1: none. */
  parent: number;
  /** Where the instructions are; of a `computation` that computation. */
  computation: string;
  /** The same as the text has it. */
  shownComputation: string;
  canOpen: boolean;
  isOpen: boolean;
  /** It would be open, but the picture is full. */
  hasNoRoom: boolean;
  /** Instructions in it, in all computations that it runs. */
  count: number;
  /** Operands and users that have no box. */
  moreOperands: number;
  moreUsers: number;
  /**
   * A model, from types alone: whether it rounds to a narrower float, or depends on something that
   * does.
   */
  precision: "whole" | "after" | "narrowed";
  isOnPath: boolean;
}
export interface InstructionBox extends AnyBox {
  kind: "instruction";
  name: string;
  shown: string;
  opcode: string;
  shape: string;
  opClass: OpClassName;
  /** Of the result, with its layout; -1: not known. */
  bytes: number;
  paddingBytes: number;
  isRoot: boolean;
  opName: string;
  /** "model.py:12", from its metadata; "" where that has none. */
  source: string;
  /** What the text says of devices: its sharding, or its replica groups. */
  devices: string;
  /** In the text, from 1; 0: none. */
  line: number;
  range: TextRange;
  /** Where the text has the computations that it runs, directly and through others; at most 32. */
  runs: TextRange[];
  /** Operands that are part of it. */
  folded: { operand: number; text: string }[];
}
/** One of several computations that an instruction runs, in the box of that. */
export interface ComputationBox extends AnyBox {
  kind: "computation";
  /** The attribute that names it: "body". */
  role: string;
}
/** Instructions for which there is no room. */
export interface GroupBox extends AnyBox {
  kind: "group";
  title: string;
  /** Parameters; neighbours in the text; as far from the focus, on one side of it. */
  why: "parameters" | "stretch" | "operands" | "users";
  /** How the op_name of all of them begins. */
  opName: string;
  first: string;
  last: string;
  range: TextRange;
}
export type GraphBox = InstructionBox | ComputationBox | GroupBox;

export interface GraphEdge {
  /** Indices of boxes. */
  from: number;
  to: number;
  kind: "data" | "async" | "carried" | "control";
  /** Number of the operand, of the first use; -1: none. */
  operand: number;
  /** Uses that it stands for. */
  count: number;
  shape: string;
}

/** An instruction as lists have it. */
export interface GraphItem extends InstructionRef {
  shown: string;
  opcode: string;
  shape: string;
  range: TextRange;
}
/** How many there are, and the first of them. */
export interface GraphItems {
  count: number;
  items: GraphItem[];
}

export interface GraphModel {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** The outermost computation. */
  computation: string;
  shown: string;
  isEntry: boolean;
  /** Of the program. */
  instructionCount: number;
  /** Everything of the outermost computation has a box of its own. */
  isWhole: boolean;
  boxes: GraphBox[];
  edges: GraphEdge[];
  /** `box`: the innermost one that has it; -1: none. */
  focus: (GraphItem & { box: number; operands: GraphItems; users: GraphItems }) | null;
  /** `reversed`: it leads from the second to the first. */
  path: (GraphItems & { found: boolean; reversed: boolean }) | null;
  dot?: string;
}

/** Best first: by name, by opcode, by op_name. */
export interface GraphFound {
  count: number;
  items: (GraphItem & { opName: string })[];
}
