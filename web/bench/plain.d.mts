import type { Numbers } from "./data";
import type { Started } from "./ours";

/** A case of that name on its operands, in plain JavaScript; null where there is none. */
export function startPlain(name: string, operands: readonly Numbers[]): Started | null;
