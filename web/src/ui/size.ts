/** How large an element is: for canvases, and for pictures whose letters do not grow and shrink with them. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Calls `measure` with an element before it is first painted, and whenever its size changes. */
export function useMeasured<T extends Element>(
  ref: RefObject<T | null>,
  measure: (element: T) => void,
): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    measure(element);
    const observer = new ResizeObserver(() => measure(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

/** Width and height of an element in pixels, scrollbars and borders left out; zero until it is measured. */
export function useSize(ref: RefObject<Element | null>): { width: number; height: number } {
  const size = useSignal({ width: 0, height: 0 });
  useMeasured(ref, ({ clientWidth, clientHeight }) => {
    size.value = { width: clientWidth, height: clientHeight };
  });
  return size.value;
}

/** An element, and its width in pixels; `unknown`: as long as it has none. */
export function useWidth(unknown: number): {
  ref: RefObject<HTMLDivElement | null>;
  width: ReadonlySignal<number>;
} {
  const ref = useRef<HTMLDivElement>(null);
  const width = useSignal(unknown);
  useMeasured(ref, (element) => {
    width.value = element.clientWidth || unknown;
  });
  return { ref, width };
}
