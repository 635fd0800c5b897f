/** What is open closes when the pointer is pressed elsewhere. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Whether something is open, and the box whose outside closes it. */
export function useOpen(): { open: Signal<boolean>; box: RefObject<HTMLDivElement | null> } {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open.value) return;
    const outside = (event: PointerEvent): void => {
      if (!event.composedPath().includes(box.current as EventTarget)) open.value = false;
    };
    window.addEventListener("pointerdown", outside, { capture: true });
    return () => window.removeEventListener("pointerdown", outside, { capture: true });
  }, [open.value]);
  return { open, box };
}
