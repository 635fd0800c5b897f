/** Messages between EngineClient and its worker. */
export interface Request {
  id: number;
  method: string;
  args: unknown[];
}
export type Reply =
  | { id: number; ok: true; value: unknown }
  /** `fatal`: the engine trapped and cannot be trusted with another call. */
  | { id: number; ok: false; message: string; fatal: boolean };
