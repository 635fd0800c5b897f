/** Where one is in the timeline of the page's program, and what is asked of it. */
import { type Signal, signal } from "@preact/signals";
import type { DebugSpan, DebugState, Diagnostic } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";

export interface DebugSession {
  /** Where one is; what links hold. */
  position: Signal<number>;
  /** The device that is followed; -1: whichever made the last step. */
  device: Signal<number>;
  breakpoints: Signal<readonly string[]>;
  watches: Signal<readonly string[]>;
  /** The instruction whose value is shown as a whole; "": none. */
  shown: Signal<string>;
  phase: Signal<"none" | "recording" | "ready">;
  state: Signal<DebugState | null>;
  spans: Signal<readonly DebugSpan[]>;
  faults: Signal<readonly Diagnostic[]>;
  /** What the recorded run was of. */
  recorded: Signal<string>;
  /** The run to compare with: how many steps it has, and what it was of. */
  kept: Signal<{ length: number; recorded: string } | null>;
}

export const debugSession = perPage(
  (): DebugSession => ({
    position: signal(0),
    device: signal(-1),
    breakpoints: signal<readonly string[]>([]),
    watches: signal<readonly string[]>([]),
    shown: signal(""),
    phase: signal<"none" | "recording" | "ready">("none"),
    state: signal<DebugState | null>(null),
    spans: signal<readonly DebugSpan[]>([]),
    faults: signal<readonly Diagnostic[]>([]),
    recorded: signal(""),
    kept: signal(null),
  }),
);
