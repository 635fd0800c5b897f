/** Global keyboard shortcuts. */
import type { App } from "../app/app";
import { isMac, keyName } from "./keys";
import { commands, perform } from "./registry";

/**
 * Whether a key event types text. The editor is in a shadow root: only the event's path contains
 * it.
 */
function isTextPlace(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

export function listenForKeys(app: App): () => void {
  const mac = isMac();
  const onKeyDown = (event: KeyboardEvent): void => {
    // An open dialog receives Escape and all other keys.
    if (app.state.overlay.value !== "" || event.isComposing) return;
    const name = keyName(event, mac);
    const command = commands.find((c) => c.keys.includes(name) && c.enabled(app));
    if (!command || (command.outsideText && name.length === 1 && isTextPlace(event))) return;
    event.preventDefault();
    event.stopPropagation();
    perform(app, command);
  };
  window.addEventListener("keydown", onKeyDown, { capture: true });
  return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
}
