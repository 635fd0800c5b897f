/** Makes the texts of this view: fetched once one is looked at. */
import { TOKEN_KINDS } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { checkProgram } from "../../app/engines";
import { type Conversion, type Kind, otherDialect } from "./kinds";

/** The tokens of generated code. */
export function codeTokens(text: string): Uint32Array {
  const kinds = (["comment", "string", "opcode", "number"] as const).map((kind) =>
    TOKEN_KINDS.indexOf(kind),
  );
  const tokens: number[] = [];
  for (const found of text.matchAll(/(;;.*)|("[^"]*")|([a-z][\w.]*)|(-?\d[\w.]*)/g)) {
    const at = found.slice(1).findIndex((part) => part !== undefined);
    tokens.push(kinds[at] ?? 0, found.index, found.index + found[0].length);
  }
  return Uint32Array.from(tokens);
}

export async function convert(app: App, text: string, kind: Kind): Promise<Conversion> {
  const { typing } = app.engines;
  const check = await checkProgram(app.engines, text, app.state.inputs.value);
  if (kind !== "dialect") {
    const result = await typing.call("plan", [text, { as: kind }]);
    // A plan is in one colour.
    const tokens = kind === "code" ? codeTokens(result.text) : new Uint32Array();
    return { source: text, kind, to: kind, result, tokens };
  }
  const to = otherDialect(check.kind);
  const result = await typing.call("convert", [text, { to }]);
  const tokens = result.ok ? await typing.call("tokens", [result.text]) : new Uint32Array();
  return { source: text, kind, to, result, tokens };
}
