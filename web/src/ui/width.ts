/** How wide an element is, for pictures whose letters do not grow and shrink with them. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** An element, and its width in pixels; `unknown`: as long as it has none. */
export function useWidth(unknown: number): {
  ref: RefObject<HTMLDivElement | null>;
  width: ReadonlySignal<number>;
} {
  const ref = useRef<HTMLDivElement>(null);
  const width = useSignal(unknown);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => {
      width.value = element.clientWidth || unknown;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
