/** Properties of calls, besides their types, for the client, the builds and the page. */
import type { DocumentCalls, EngineApi, ProgramText } from "./engine_api";

/** Every row of the engine's table: beside the API those by which this folder handles texts and builds. */
export interface EngineCalls extends EngineApi, DocumentCalls {
  /** The names of this build's calls. */
  calls(): string[];
  /** Whether a text is read as MLIR (StableHLO) and not as HLO. */
  isMlir(text: ProgramText): boolean;
  /** The handles of runs count from here. */
  startHandlesAt(handle: number): void;
}

/** The calls whose first argument is a program. */
const ABOUT_TEXT: readonly string[] = [
  "check",
  "tokens",
  "folds",
  "outline",
  "place",
  "definition",
  "rename",
  "complete",
  "format",
  "convert",
  "plan",
  "diff",
  "graph",
  "graphSearch",
  "shrink",
  "isolate",
  "passes",
  "memoryReport",
  "programMemory",
  "memoryPicture",
  "memorySavings",
  "shardings",
  "devices",
  "devicesAt",
  "cost",
  "precision",
  "run",
  "inputFaults",
  "makeInput",
  "debug",
  "compileProgram",
  "pythonScript",
  "why",
] satisfies (keyof EngineApi)[];

const LONG: readonly string[] = [
  "run",
  "makeInput",
  "pythonScript",
  "executeProgram",
  "precision",
  "devices",
  "devicesAt",
  "debug",
  "askDebugger",
  "why",
] satisfies (keyof EngineApi)[];

/** Of texts that are not long. */
const BRIEF: readonly string[] = [
  "tokens",
  "folds",
  "place",
  "layout",
  "address",
  "logicalWindow",
  "linearWindow",
  "memory",
  "memoryByte",
  "valueWindow",
] satisfies (keyof EngineApi)[];
/** Characters of a text about which such a call is answered in no time. */
const BRIEF_TEXT = 50_000;

/** Whether a call takes an engine less time than a page may need to ask for the next one. */
export function isBrief(method: string, args: readonly unknown[]): boolean {
  const [first] = args;
  return BRIEF.includes(method) && !(typeof first === "string" && first.length > BRIEF_TEXT);
}

/** Whether the answer to a call has a handle, of what is kept until it is released. */
export function keepsRun(method: string): boolean {
  return method === "run" || method === "makeInput";
}

/** Whether a call is limited only by the user's limits (a run). */
export function isLong(method: string): boolean {
  return LONG.includes(method);
}

export function isAboutText(method: string): boolean {
  return ABOUT_TEXT.includes(method);
}

/** Which argument may name a run: the value of other calls, the options of those about a program. */
function runAt(method: string): number {
  return isAboutText(method) ? 1 : 0;
}

/** The run that a call is about; 0 if it is about none. */
export function handleOf(method: string, args: readonly unknown[]): number {
  if (method === "release") return Number(args[0]) || 0;
  return (args[runAt(method)] as { handle?: number } | null | undefined)?.handle ?? 0;
}

/** The arguments of a call, with the run's handle replaced. */
export function withHandle(method: string, args: readonly unknown[], handle: number): unknown[] {
  if (method === "release") return [handle];
  return args.map((arg, i) => (i === runAt(method) ? { ...(arg as object), handle } : arg));
}
