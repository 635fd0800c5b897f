/** What hovers over the editor goes with Escape, and when the person goes elsewhere. */
import { closeHoverTooltips, EditorView, hasHoverTooltips } from "@codemirror/view";

export function closingTooltips(host: HTMLElement): () => void {
  const close = (): void => {
    const inside = host.shadowRoot?.querySelector<HTMLElement>(".cm-content");
    const view = inside && EditorView.findFromDOM(inside);
    // An update while a dialog opens lays the whole text out again: none without need.
    if (view && hasHoverTooltips(view.state)) view.dispatch({ effects: closeHoverTooltips });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
  };
  const onPointer = (event: Event): void => {
    if (!event.composedPath().includes(host)) close();
  };
  window.addEventListener("keydown", onKey, { capture: true });
  window.addEventListener("pointerdown", onPointer, { capture: true });
  host.addEventListener("focusout", close);
  return () => {
    window.removeEventListener("keydown", onKey, { capture: true });
    window.removeEventListener("pointerdown", onPointer, { capture: true });
    host.removeEventListener("focusout", close);
  };
}
