/** What follows the typing: diagnostics, outline, colours, and what is under the cursor. */
import { batch, effect } from "@preact/signals";
import type { CheckResult } from "../../../wasm/engine_api";
import { words } from "../strings";
import { bareName, selectInstruction, showView } from "./actions";
import type { App } from "./app";
import { checkProgram, isAbort, Latest } from "./engines";

/** A typing call that takes longer is given up: the worker is replaced, the text stays. */
const PATIENCE_MS = 15_000;

export interface TypingSinks {
  tokens(text: string, tokens: Uint32Array): void;
  checked(text: string, check: CheckResult): void;
}

async function patiently<T>(app: App, call: Promise<T>): Promise<T> {
  const timer = setTimeout(() => app.engines.typing.cancel(), PATIENCE_MS);
  try {
    return await call;
  } finally {
    clearTimeout(timer);
  }
}

function watchText(app: App, sinks: TypingSinks): () => void {
  const s = app.state;
  const check = new Latest(async (text: string) => {
    const { typing } = app.engines;
    const inputs = s.inputs.peek();
    try {
      const [tokens, checked] = await patiently(
        app,
        Promise.all([typing.call("tokens", [text]), checkProgram(app.engines, text, inputs)]),
      );
      sinks.tokens(text, tokens);
      sinks.checked(text, checked);
      batch(() => {
        s.engineProblem.value = "";
        // Who pastes a report wants to see its buffers. What a link opens says itself where.
        const before = s.check.peek();
        const isReport = checked.kind === "memory-report";
        if (isReport && before && before.kind !== checked.kind) showView(app, "memory");
        s.check.value = checked;
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      s.engineProblem.value = isAbort(error) ? words.app.tooSlow : why;
    }
  });
  return effect(() => {
    void s.openInputs.value;
    void check.ask(s.text.value);
  });
}

/** The outline of a long program is large: it is made for those who look at it. */
function watchOutline(app: App): () => void {
  const s = app.state;
  const ask = new Latest(async (text: string) => {
    s.outline.value = await patiently(app, app.engines.typing.call("outline", [text]));
  });
  return effect(() => {
    const wanted = s.view.value === "outline" || s.overlay.value === "palette";
    if (wanted) void ask.ask(s.text.value);
  });
}

function watchCursor(app: App): () => void {
  const s = app.state;
  const ask = new Latest(async ([text, cursor]: [string, number]) => {
    const place = await patiently(app, app.engines.typing.call("place", [text, cursor]));
    batch(() => {
      s.place.value = place;
      if (place.instruction && place.instruction !== s.selection.value.name) {
        if (bareName(place.instruction)) selectInstruction(app, place.instruction);
      }
    });
  });
  return effect(() => {
    void ask.ask([s.text.value, s.cursor.value]);
  });
}

export function startTyping(app: App, sinks: TypingSinks): () => void {
  const stops = [watchText(app, sinks), watchOutline(app), watchCursor(app)];
  const { typing } = app.engines;
  typing.call("ops", []).then(
    (ops) => {
      app.state.ops.value = ops;
    },
    () => undefined,
  );
  typing.call("version", []).then(
    (version) => {
      app.state.version.value = version;
    },
    (error: Error) => {
      app.state.engineProblem.value = error.message;
    },
  );
  return () => {
    for (const stop of stops) stop();
  };
}
