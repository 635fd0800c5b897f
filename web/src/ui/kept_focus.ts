import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/**
 * Where the thing that has the focus goes away, as a button that has done its work, the focus stays in
 * the part of the page that it was in: the next Tab does not begin at the top.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const part = ref.current;
    if (!part) return;
    let last: Element | null = null;
    const remember = ({ target }: FocusEvent): void => {
      last = target as Element;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
    });
    part.addEventListener("focusin", remember);
    observer.observe(part, { childList: true, subtree: true });
    return () => {
      part.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
}
