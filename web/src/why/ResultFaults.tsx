/**
 * What of the result is no finite number, for the status line, and the instruction that made the
 * first of it. The result is read once; only if there is something is the run asked where it comes
 * from, and only if that run was short.
 */
import { batch, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ValueInfo, WhyElement, WhyRow } from "../../../wasm/engine_api";
import { focusOn, showViewFor } from "../app/actions";
import type { App } from "../app/app";
import { NO_FOCUS, type Results } from "../app/state";
import { cancelWhy, isBrief, originOf } from "./asking";
import { mark } from "./marks";
import { whySession } from "./session";
import { whyWords as w } from "./words";

/** So many arrays of the results are read. */
const MOST_ARRAYS = 200;

interface Faults {
  nans: number;
  infinities: number;
  /** The first array that has some. */
  at: { device: number; path: number[] };
}

interface Leaf {
  device: number;
  path: number[];
}

/** Only floats have them, and complex numbers, which are two. */
const hasFloats = ({ shape }: ValueInfo): boolean => /^(f|bf|c)\d/.test(shape);

/** The arrays of floats in a value. */
function* arraysIn(value: ValueInfo, device: number, path: number[]): Generator<Leaf> {
  if (value.kind === "array" && hasFloats(value)) yield { device, path };
  for (const [i, element] of value.elements.entries()) {
    yield* arraysIn(element, device, [...path, i]);
  }
}

function* arraysOf({ run }: Results): Generator<Leaf> {
  const outputs = run.devices ?? [{ device: 0, output: run.output }];
  for (const { device, output } of outputs) {
    if (output) yield* arraysIn(output, device, []);
  }
}

async function faultsIn(app: App, results: Results): Promise<Faults | null> {
  let found: Faults | null = null;
  let count = 0;
  for (const at of arraysOf(results)) {
    if (++count > MOST_ARRAYS || app.state.results.peek() !== results) break;
    const entry = at.device > 0 ? (`output@${at.device}` as const) : "output";
    const ref = { handle: results.run.handle, entry, path: at.path };
    const { nans, infinities } = await app.engines.results.call("valueStats", [ref]);
    if (nans + infinities === 0) continue;
    found ??= { nans: 0, infinities: 0, at };
    // A NaN says more than the infinity that came before it.
    if (found.nans === 0 && nans > 0) found.at = at;
    found.nans += nans;
    found.infinities += infinities;
  }
  return found;
}

export function ResultFaults({ app }: { app: App }): JSX.Element {
  const results = app.state.results.value;
  const faults = useSignal<Faults | null>(null);
  const maker = useSignal<WhyRow | null>(null);
  useEffect(() => {
    if (!results) return;
    let current = true;
    let asked = false;
    const marks = whySession(app).marks.peek();
    if (marks && marks.results !== results) mark(app, null);
    faults.value = null;
    maker.value = null;
    void faultsIn(app, results)
      .catch(() => null)
      .then(async (found) => {
        if (!current) return;
        faults.value = found;
        if (!found || !isBrief(results)) return;
        asked = true;
        const chain = await originOf(app, results, elementOf(found));
        asked = false;
        if (current && chain?.complete) maker.value = chain.rows.at(-1) ?? null;
      });
    return () => {
      current = false;
      if (asked) cancelWhy(app);
    };
  }, [results]);
  const found = faults.value;
  const open = (): void => {
    if (!found) return;
    const session = whySession(app);
    const { device, path } = found.at;
    batch(() => {
      session.first.value = null;
      session.forward.value = false;
      session.toOrigin.value = true;
      focusOn(app, { ...NO_FOCUS, source: device > 0 ? `output@${device}` : "output", path });
      showViewFor(app, "origin");
    });
  };
  return (
    <span role="status">
      {found && (
        <button type="button" class={found.nans > 0 ? "bad" : ""} onClick={open}>
          {w.inResult(found.nans, found.infinities, results?.run.devices?.length ?? 1)}
          {maker.value && (
            <>
              {`: ${w.firstMade} `}
              <code>{maker.value.shown}</code>
              {w.firstMadeAt(maker.value.line)}
            </>
          )}
        </button>
      )}
    </span>
  );
}

function elementOf({ at }: Faults): WhyElement {
  return { name: "", computation: "", entry: "output", ...at, index: null };
}
