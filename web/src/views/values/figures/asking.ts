/** Questions about a whole array, which the full build of the engine answers. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ValueFigures, ValueInfo, ValueRef } from "../../../../../wasm/engine_api";
import type { App } from "../../../app/app";

export interface FigureProps {
  app: App;
  value: ValueInfo;
  valueRef: ValueRef;
}

/** The answer to a question that changes with `key`: null while it is pending. */
export function useFigure<T>(
  key: string,
  ask: () => Promise<T | null>,
): { answer: T | null; failed: boolean } {
  const state = useSignal<{ key: string; answer: T | null; failed: boolean } | null>(null);
  useEffect(() => {
    let current = true;
    const take = (answer: T | null): void => {
      if (current) state.value = { key, answer, failed: answer === null };
    };
    ask().then(take, () => take(null));
    return () => {
      current = false;
    };
  }, [key]);
  const known = state.value;
  return known?.key === key ? known : { answer: null, failed: false };
}

/** The statistics of a value. */
export function useFigures({ app, value, valueRef }: FigureProps): {
  answer: ValueFigures | null;
  failed: boolean;
} {
  return useFigure(JSON.stringify(valueRef), () =>
    app.engines.results.call("valueFigures", [valueRef, { type: value.elementType }]),
  );
}
