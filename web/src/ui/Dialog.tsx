/**
 * A modal dialog. The browser's own (`showModal`) makes the rest of the page inert, for which it computes
 * the style of every element anew: beside a large program that takes longer than a key may. Here a
 * layer above the page takes the pointer, and the keys stay inside.
 */
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../strings";
import { Icon } from "./Icon";

interface DialogProps {
  label: string;
  class?: string;
  heading?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

const FOCUSABLE = "button, input, select, textarea, a[href], [tabindex]";

const focusableIn = (layer: HTMLElement): HTMLElement[] =>
  [...layer.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (node) => node.tabIndex >= 0 && !node.matches(":disabled") && node.getClientRects().length > 0,
  );

/** What has the focus, inside of shadow roots too. */
function focused(): Element | null {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node;
}

/** Tab goes around. */
function keepFocus(event: KeyboardEvent, layer: HTMLElement): void {
  const nodes = focusableIn(layer);
  const [first, last] = event.shiftKey ? [nodes.at(-1), nodes[0]] : [nodes[0], nodes.at(-1)];
  const at = focused();
  if (at !== last && layer.contains(at)) return;
  first?.focus();
  event.preventDefault();
}

export function Dialog(props: DialogProps): JSX.Element {
  const layer = useRef<HTMLDivElement>(null);
  // Before the next key: letters typed right after the shortcut belong to the dialog.
  useLayoutEffect(() => {
    const node = layer.current;
    const before = focused();
    // Above everything, in browsers that have such a layer.
    node?.showPopover?.();
    if (node && !node.contains(focused())) focusableIn(node)[0]?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") props.onClose();
    else if (event.key !== "Tab" || !layer.current) return;
    else keepFocus(event, layer.current);
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are those of what is inside
    <div
      ref={layer}
      class="dialog-layer"
      popover="manual"
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (event.target === layer.current) props.onClose();
      }}
    >
      <div
        class={`dialog ${props.class ?? ""}`}
        role="dialog"
        aria-modal="true"
        aria-label={props.label}
      >
        {props.heading && (
          <div class="dialog-head">
            <h2>{props.label}</h2>
            <button
              type="button"
              class="quiet"
              aria-label={words.app.close}
              title={words.app.close}
              onClick={props.onClose}
            >
              <Icon name="close" />
            </button>
          </div>
        )}
        {props.children}
      </div>
    </div>
  );
}
