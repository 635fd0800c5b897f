/** Where a call says which run it is about. */
import type { EngineApi, ScriptOptions, ValueRef } from "./engine_api";

/** Calls with a ValueRef first. */
const VALUE_CALLS: readonly string[] = [
  "valueWindow",
  "valueStats",
  "valueText",
  "valueNpy",
  "memory",
  "memoryByte",
] satisfies (keyof EngineApi)[];

/** The run that a call is about; 0 if it is about none. */
export function handleOf(method: string, args: readonly unknown[]): number {
  if (method === "release") return Number(args[0]) || 0;
  if (method === "pythonScript") return (args[1] as ScriptOptions | undefined)?.handle ?? 0;
  if (!VALUE_CALLS.includes(method)) return 0;
  return (args[0] as Partial<ValueRef> | null | undefined)?.handle ?? 0;
}

/** The arguments of a call, about another run. */
export function withHandle(method: string, args: readonly unknown[], handle: number): unknown[] {
  if (method === "release") return [handle];
  if (method === "pythonScript") return [args[0], { ...(args[1] as ScriptOptions), handle }];
  return [{ ...(args[0] as ValueRef), handle }, ...args.slice(1)];
}
