/** Records the run of the page's program, and moves through it. */
import { batch } from "@preact/signals";
import type {
  DebugAnswers,
  DebugMove,
  DebugRequest,
  DebugState,
} from "../../../../wasm/engine_api";
import { notify, runOptions } from "../../app/actions";
import { type App, perPage } from "../../app/app";
import { isAbort } from "../../app/engine_link";
import { checkProgram } from "../../app/engines";
import { keyOf } from "../../app/work";
import type { DebugMarks } from "../../editor/debugging";
import { type DebugSession, debugSession } from "./session";
import { debugWords } from "./words";

/** Milliseconds of recording for one call, between which the page shows how far it is. */
const SLICE = 100;

/** Milliseconds that a step may take to its end once the recording is to stop. */
const PATIENCE = 2000;

/** What the debugger answers to a question that it does not take: a condition that cannot be read. */
class Refusal extends Error {}

/** The timeline in the engine, and moves along it. */
export class DebugRun {
  readonly #app: App;
  #handle = 0;
  #turn = 0;
  /** The recording is to end before the run does. */
  #stops = false;
  #marks: Promise<DebugMarks> | null = null;
  #wanted: number | null = null;
  #moves: Promise<void> = Promise.resolve();
  #started: Promise<void> = Promise.resolve();
  /** The run to compare with. */
  #kept = 0;
  /** What values were where one stopped before, by where their instructions end. */
  #before: ReadonlyMap<number, string> | null = null;

  readonly #s: DebugSession;

  constructor(app: App) {
    this.#app = app;
    this.#s = debugSession(app);
    this.#s.breakpoints.subscribe((all) => {
      if (this.#marks || all.length > 0) void this.#showBreakpoints();
    });
  }

  /** What a run of the page's program depends on. */
  key(): string {
    const { text, inputs, settings } = this.#app.state;
    // Another file may have the same name.
    const given = inputs.value.map(({ text: spec, file }) => [
      spec,
      file ? file.name + keyOf(file.bytes) : "",
    ]);
    return JSON.stringify([text.value, given, settings.value]);
  }

  async ask<W extends DebugRequest["what"]>(
    request: Extract<DebugRequest, { what: W }>,
  ): Promise<DebugAnswers[W]> {
    const answer = await this.#app.engines.debugging.call("askDebugger", [this.#handle, request]);
    if ("problem" in answer) throw new Refusal(answer.problem);
    return answer as DebugAnswers[W];
  }

  /** Records the run of the program as it is now, and goes to the position. */
  start(): Promise<void> {
    this.#started = this.#start();
    return this.#started;
  }

  /** Records more of a run whose recording was stopped. */
  recordOn(): Promise<void> {
    const turn = this.#begin();
    this.#started = this.#record(turn, this.#s.position.peek()).catch((error: unknown) => {
      if (turn !== this.#turn) return;
      this.#forgetRun();
      this.#complain(error);
    });
    return this.#started;
  }

  #begin(): number {
    this.#stops = false;
    this.#s.phase.value = "recording";
    return ++this.#turn;
  }

  async #start(): Promise<void> {
    const app = this.#app;
    const turn = this.#begin();
    const text = app.state.text.value;
    const key = this.key();
    const wanted = this.#s.position.peek();
    batch(() => {
      this.#s.state.value = null;
      this.#s.spans.value = [];
      this.#s.faults.value = [];
    });
    try {
      const check = await checkProgram(app.engines, text, app.state.inputs.peek());
      const engine = app.engines.debugging;
      if (this.#handle !== this.#kept) this.#release(this.#handle);
      this.#before = null;
      const begun = await engine.call("debug", [text, runOptions(app, check)]);
      if (turn !== this.#turn) {
        this.#release(begun.handle);
        return;
      }
      this.#handle = begun.handle;
      this.#s.recorded.value = key;
      if (begun.handle === 0) {
        this.#s.faults.value = begun.diagnostics;
        this.#s.phase.value = "none";
        return;
      }
      await this.#record(turn, wanted);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#s.phase.value = "none";
      if (!isAbort(error)) notify(app, (error as Error).message, "error");
    }
  }

  async #record(turn: number, wanted: number): Promise<void> {
    for (;;) {
      const progress = await this.ask({ what: "record", ms: SLICE });
      if (turn !== this.#turn) return;
      const { length, ended, diagnostics } = progress;
      this.#s.faults.value = diagnostics ?? [];
      if (!ended && !this.#stops) {
        this.#s.state.value = { ...BEFORE, length };
        continue;
      }
      const { spans } = await this.ask({ what: "spans", position: 0, end: length });
      if (this.#kept) await this.ask({ what: "compare", other: this.#kept });
      if (turn !== this.#turn) return;
      batch(() => {
        this.#s.spans.value = spans;
        this.#s.phase.value = "ready";
      });
      await this.goTo(Math.min(wanted, length));
      return;
    }
  }

  /**
   * Ends a recording; what has been recorded stays. A step that does not end, or a second wish, ends the
   * worker instead, with all that it holds.
   */
  stop(): void {
    const turn = this.#turn;
    const isRecording = (): boolean => turn === this.#turn && this.#s.phase.peek() === "recording";
    if (this.#stops) this.#abandon();
    this.#stops = true;
    setTimeout(() => isRecording() && this.#abandon(), PATIENCE);
  }

  #abandon(): void {
    this.#app.engines.debugging.cancel();
    this.#forgetRun();
  }

  #forgetRun(): void {
    this.#turn++;
    this.#handle = this.#kept = 0;
    batch(() => {
      this.#s.phase.value = "none";
      this.#s.state.value = null;
      this.#s.kept.value = null;
    });
  }

  #release(handle: number): void {
    if (!handle) return;
    this.#app.engines.debugging.call("release", [handle]).catch(() => undefined);
  }

  /** The handle of the timeline, for calls about its values. */
  get handle(): number {
    return this.#handle;
  }

  /** Keeps this run: conditions of later ones compare with it. Of two only the last one is kept. */
  async keep(): Promise<void> {
    const state = this.#s.state.peek();
    if (!state) return;
    if (this.#kept !== this.#handle) this.#release(this.#kept);
    this.#kept = this.#handle;
    this.#s.kept.value = { length: state.length, recorded: this.#s.recorded.peek() };
  }

  forget(): void {
    if (this.#kept !== this.#handle) this.#release(this.#kept);
    this.#kept = 0;
    this.#s.kept.value = null;
  }

  /** Goes to the first step that is not as in the run that is kept, or to the next one. */
  async difference(isFirst: boolean): Promise<void> {
    if (isFirst) await this.goTo(0);
    await this.search(["differs from other"], false);
  }

  /** Starts, if nothing is recorded yet, and goes on to the next breakpoint. */
  async goOn(): Promise<void> {
    if (this.#s.phase.peek() === "none") this.start();
    await this.#started;
    await this.search(this.#s.breakpoints.peek(), false, true);
  }

  /** The last of positions that come faster than answers. */
  async goTo(position: number): Promise<void> {
    const isBusy = this.#wanted !== null;
    this.#wanted = position;
    if (isBusy) return;
    const before = this.#s.state.peek();
    this.#before = before && new Map(before.values.map(({ end, text }) => [end, text]));
    try {
      for (let next: number | null = position; next !== null; ) {
        const state: DebugState = await this.ask({
          what: "at",
          position: next,
          device: this.#s.device.peek(),
        });
        const later: number | null = this.#wanted === next ? null : this.#wanted;
        batch(() => {
          this.#s.state.value = state;
          this.#s.position.value = state.position;
        });
        next = later;
      }
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#wanted = null;
    }
    await this.showLines();
  }

  /** Moves that come faster than answers wait for one another. */
  move(move: DebugMove): Promise<void> {
    this.#moves = this.#moves.then(async () => {
      const state = this.#s.state.peek();
      if (!state || this.#s.phase.peek() !== "ready") return;
      const { position, device } = state;
      try {
        await this.goTo((await this.ask({ what: "move", position, device, move })).position);
      } catch (error) {
        this.#complain(error);
      }
    });
    return this.#moves;
  }

  /**
   * To the next or last step that fulfils a condition; else, of breakpoints, to the end. `says`:
   * tells the user what is wrong with a condition, or that no step fulfils it, which its box may
   * do. Gives whether the search ended without such a step.
   */
  async search(
    conditions: readonly string[],
    back: boolean,
    isAtEndElse = false,
    says: { fault: boolean; none: boolean } = { fault: true, none: true },
  ): Promise<boolean> {
    const state = this.#s.state.peek();
    if (!state || this.#s.phase.peek() !== "ready") return false;
    try {
      const found = await this.ask({
        what: "search",
        position: state.position,
        conditions: [...conditions],
        back: back ? 1 : 0,
      });
      if (found.position !== null) await this.goTo(found.position);
      else if (isAtEndElse) await this.goTo(back ? 0 : state.length);
      else {
        if (says.none) notify(this.#app, debugWords.none(conditions.join(", "), back));
        return true;
      }
    } catch (error) {
      if (says.fault || !(error instanceof Refusal)) this.#complain(error);
    }
    return false;
  }

  /** The line of the cursor, from 1. */
  cursorLine(): number {
    this.#app.editor?.report();
    const { text, cursor } = this.#app.state;
    return text.peek().slice(0, cursor.peek()).split("\n").length;
  }

  toggleLine(line: number): void {
    const own = `line ${line}`;
    const is = (text: string): boolean => text === own || text.startsWith(`${own} `);
    const all = this.#s.breakpoints.peek();
    this.#s.breakpoints.value = all.some(is) ? all.filter((text) => !is(text)) : [...all, own];
  }

  #complain(error: unknown): void {
    if (!isAbort(error)) notify(this.#app, (error as Error).message, "error");
  }

  #marksOfEditor(): Promise<DebugMarks> | null {
    this.#marks ??=
      this.#app.editor?.debugging({
        toggle: (line) => this.toggleLine(line),
        choose: (name) => {
          this.#s.shown.value = name;
        },
        breakpoint: debugWords.breakpoint,
      }) ?? null;
    return this.#marks;
  }

  async #showBreakpoints(): Promise<void> {
    const marks = await this.#marksOfEditor();
    const lines = this.#s.breakpoints.peek().map((text) => Number(/^line (\d+)/.exec(text)?.[1]));
    marks?.breakpoints(lines.filter((line) => line > 0));
  }

  /** Shows the state in the text, or takes it out of it. */
  async showLines(): Promise<void> {
    const marks = await this.#marksOfEditor();
    const state = this.#s.state.peek();
    if (!state || this.#s.phase.peek() !== "ready" || this.key() !== this.#s.recorded.peek()) {
      marks?.show(null);
      return;
    }
    const frame = state.devices.find(({ device }) => device === state.device)?.frames.at(-1);
    const next = frame?.next.range ?? null;
    const values = state.values.map((value) => {
      const was = this.#before?.get(value.end) ?? null;
      const isChanged = this.#before !== null && was !== value.text;
      const title = debugWords.inline(value.name, isChanged ? was : null);
      return { ...value, isChanged, title };
    });
    marks?.show({ next: next?.[0] ?? null, values });
    const range = next ?? state.last?.range;
    if (range) this.#app.editor?.goTo(range, false);
  }

  async hideLines(): Promise<void> {
    if (this.#marks) (await this.#marks).show(null);
  }
}

const BEFORE: DebugState = {
  length: 0,
  ended: false,
  position: 0,
  device: 0,
  deviceCount: 1,
  last: null,
  devices: [],
  values: [],
};

export const debugRun = perPage((app: App) => new DebugRun(app));
