/** A modal dialog: the browser's own keeps the focus inside and closes on Escape. */
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

export function Dialog(props: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key: letters typed right after the shortcut belong to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class={`dialog ${props.class ?? ""}`}
      aria-label={props.label}
      onClose={props.onClose}
      onClick={(event) => {
        if (event.target === dialog.current) props.onClose();
      }}
    >
      {props.heading && (
        <header>
          <h2>{props.label}</h2>
          <button
            type="button"
            class="quiet"
            aria-label={words.app.close}
            title={words.app.close}
            onClick={() => props.onClose()}
          >
            <Icon name="close" />
          </button>
        </header>
      )}
      {props.children}
    </dialog>
  );
}
