/**
 * Where the thing that has the focus goes away, as a button that has done its work, the focus stays in
 * the part of the page that it was in: the next Tab does not begin at the top. A ref of that part.
 */
export function keepFocus(part: HTMLElement | null): void {
  let last: Node | null = null;
  part?.addEventListener("focusin", ({ target }) => {
    last = target as Node;
  });
  const see = (): void => {
    if (!part || !last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  };
  if (part) new MutationObserver(see).observe(part, { childList: true, subtree: true });
}
