/** What is looked at in the graph, and how. */
import { type Signal, signal } from "@preact/signals";
import type { GraphModel } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";
import type { InstructionId } from "../../app/state";
import type { Placed } from "../../graph/placing";
import type { ColourId } from "./kinds";

/** Where a path begins and ends, and whether all of them are wanted. */
export interface PathEnds {
  from: InstructionId | null;
  to: InstructionId | null;
  all: boolean;
}
export const NO_PATH: PathEnds = { from: null, to: null, all: false };

/** A picture that is laid out. */
export interface ShownGraph {
  model: GraphModel;
  placed: Placed;
  /** The text that it is of. */
  text: string;
}

/** What commands ask of the picture on the screen. */
export interface PictureHandle {
  fit(): void;
  focus(): void;
  toggle(): void;
}

export interface GraphSession {
  /** Ids of open boxes; null: as the picture opens. */
  open: Signal<readonly string[] | null>;
  /** Steps from the selected instruction; -1: everything. */
  radius: Signal<number>;
  colour: Signal<ColourId>;
  /** Constants and broadcasts of scalars are part of their users. */
  fold: Signal<boolean>;
  /** The outermost computation; "" for the entry. */
  root: Signal<string>;
  path: Signal<PathEnds>;
  /** The id of the box that the keys start from; "": that of the selected instruction. */
  at: Signal<string>;
  /** The next answer opens what the selected instruction is in. */
  reveals: Signal<boolean>;
  shown: Signal<ShownGraph | null>;
  picture: PictureHandle | null;
}

/** The ids and names of one program mean nothing in another. */
export function leaveGraph(session: GraphSession): void {
  session.open.value = null;
  session.radius.value = -1;
  session.path.value = NO_PATH;
  session.root.value = session.at.value = "";
}

export const graphSession = perPage(
  (): GraphSession => ({
    open: signal<readonly string[] | null>(null),
    radius: signal(-1),
    colour: signal<ColourId>("class"),
    fold: signal(true),
    root: signal(""),
    path: signal<PathEnds>(NO_PATH),
    at: signal(""),
    reveals: signal(false),
    shown: signal<ShownGraph | null>(null),
    picture: null,
  }),
);
