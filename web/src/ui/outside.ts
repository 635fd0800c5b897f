/** What is open closes when the pointer is pressed elsewhere, or the focus goes there. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Whether something is open, which others may see and set in `shared`, and the box whose outside closes it. */
export function useOpen(shared?: Signal<boolean>): {
  open: Signal<boolean>;
  box: RefObject<HTMLDivElement | null>;
} {
  const own = useSignal(false);
  const open = shared ?? own;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open.value) return;
    const outside = (event: Event): void => {
      if (!event.composedPath().includes(box.current as EventTarget)) open.value = false;
    };
    const kinds = ["pointerdown", "focusin"];
    for (const kind of kinds) window.addEventListener(kind, outside, true);
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, outside, true);
    };
  }, [open.value]);
  return { open, box };
}
