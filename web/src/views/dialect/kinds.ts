/** Which texts are made of a program. */
import type { ConvertResult, PlanResult } from "../../../../wasm/engine_api";
import type { DialectName } from "../../app/state";

/** What is made of the program. */
export const KINDS = ["dialect", "plan", "code"] as const;
export type Kind = (typeof KINDS)[number];

export interface Conversion {
  /** What it was made of, and what was made. */
  source: string;
  kind: Kind;
  to: DialectName | "plan" | "code";
  result: Pick<ConvertResult, keyof PlanResult>;
  tokens: Uint32Array;
}

/** The dialect that a text of this kind has a counterpart in. */
export function otherDialect(kind: string | undefined): DialectName {
  return kind === "mlir" ? "hlo" : "stablehlo";
}
