/** Questions about a whole array, which the full build of the engine answers. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isComplex } from "../../../../../wasm/element_types";
import {
  type ArrayOptions,
  COMPLEX_PARTS,
  type ValueFigures,
  type ValueInfo,
  type ValueRef,
} from "../../../../../wasm/engine_api";
import type { App } from "../../../app/app";
import { useWord } from "../look";

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

/** What is asked of a value: of complex numbers the chosen part. */
export function useOptions({ app, value }: FigureProps): ArrayOptions {
  const part = useWord(app, "part", COMPLEX_PARTS, "magnitude").value;
  const type = value.elementType;
  return isComplex(type) ? { type, part } : { type };
}

/** The statistics of a value. */
export function useFigures(props: FigureProps): {
  answer: ValueFigures | null;
  failed: boolean;
} {
  const { app, valueRef } = props;
  const options = useOptions(props);
  return useFigure(JSON.stringify([valueRef, options]), () =>
    app.engines.results.call("valueFigures", [valueRef, options]),
  );
}
