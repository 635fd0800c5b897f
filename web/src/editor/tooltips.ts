/** What hovers over the editor goes with Escape, and when the person goes elsewhere. */
import { closeHoverTooltips, EditorView, hasHoverTooltips } from "@codemirror/view";

export function closingTooltips(host: HTMLElement): () => void {
  const close = (): void => {
    const inside = host.shadowRoot?.querySelector<HTMLElement>(".cm-content");
    const view = inside && EditorView.findFromDOM(inside);
    // Without need nothing is laid out again.
    if (view && hasHoverTooltips(view.state)) view.dispatch({ effects: closeHoverTooltips });
  };
  // A dialog that takes the focus is being drawn.
  const closeNext = (): void => void setTimeout(close);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
  };
  const onPointer = (event: Event): void => {
    if (!event.composedPath().includes(host)) close();
  };
  window.addEventListener("keydown", onKey, { capture: true });
  window.addEventListener("pointerdown", onPointer, { capture: true });
  host.addEventListener("focusout", closeNext);
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    window.removeEventListener("pointerdown", onPointer, { capture: true });
    host.removeEventListener("focusout", closeNext);
  };
}
