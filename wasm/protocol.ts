/** Messages between EngineClient and its worker. */
import type { DocumentCalls } from "./engine_api";

/** What the worker has to be sent of a text before a call refers to it. */
export type TextUpdate =
  | { method: "open"; args: Parameters<DocumentCalls["open"]> }
  | { method: "edit"; args: Parameters<DocumentCalls["edit"]> };

export interface Request {
  id: number;
  method: string;
  args: unknown[];
  update?: TextUpdate;
}
export type Reply =
  | { id: number; ok: true; value: unknown }
  /**
   * `fatal`: the engine trapped and cannot be trusted with another call. `unknown`: it does not know
   * the document that the call names.
   */
  | { id: number; ok: false; message: string; fatal: boolean; unknown?: boolean };

/** The name of a worker whose engine the page compiles: it waits for a message with it. */
export const GIVEN = "given";

/** That message, which is no request. Null: the page could not, and the worker tries itself. */
export interface Given {
  wasmModule: WebAssembly.Module | null;
}
