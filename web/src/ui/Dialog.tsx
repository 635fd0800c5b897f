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
  const isClosed = useRef(false);
  // Once: the browser's own event comes some time after the dialog was closed, when a key may have
  // opened the next one.
  const close = (): void => {
    if (isClosed.current) return;
    isClosed.current = true;
    props.onClose();
  };
  // Before the next key: letters typed right after the shortcut belong to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      isClosed.current = true;
      element?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class={`dialog ${props.class ?? ""}`}
      aria-label={props.label}
      onCancel={close}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
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
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </header>
      )}
      {props.children}
    </dialog>
  );
}
