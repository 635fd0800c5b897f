/** Overlays of the page: palette, help, examples, rename, and notifications. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { closeOverlay, dismissNotice } from "../app/actions";
import type { App } from "../app/app";
import { words } from "../strings";
import { Icon } from "../ui/Icon";
import { lazy } from "../ui/lazy";
import { loadPaletteList, Palette } from "./Palette";

// Fetched on first use.
const Help = lazy(async () => (await import("./HelpDialogs")).Help);

/** Milliseconds after which the list of commands is fetched, so that it is there at once. */
const PALETTE_MS = 1000;

const Examples = lazy(async () => (await import("./Examples")).Examples);

const Offer = lazy(async () => (await import("./Offer")).Offer);

const Rename = lazy(async () => (await import("./Rename")).Rename);

const Problems = lazy(async () => (await import("./Problems")).Problems);

const NOTICE_MS = 5000;
/** Notifications with an action are shown longer. */
const ACTION_MS = 10_000;

function Notice({ app }: { app: App }): JSX.Element {
  const notice = app.state.notice.value;
  useEffect(() => {
    if (!notice || notice.kind === "error") return;
    const timer = setTimeout(() => dismissNotice(app), notice.action ? ACTION_MS : NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notices" role="status" aria-live="polite">
      <span class="visually-hidden">{app.state.said.value}</span>
      {notice && (
        <div class={`notice ${notice.kind}`}>
          <span>{notice.text}</span>
          {notice.action && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                dismissNotice(app);
                notice.action?.act();
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button
            type="button"
            class="quiet"
            aria-label={words.app.close}
            title={words.app.close}
            onClick={() => dismissNotice(app)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

export function Overlays({ app }: { app: App }): JSX.Element {
  const open = app.state.overlay.value;
  const close = (): void => closeOverlay(app, open);
  useEffect(() => {
    const timer = setTimeout(() => void loadPaletteList().catch(() => undefined), PALETTE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {open === "palette" && <Palette app={app} />}
      {open === "help" && <Help app={app} onClose={close} />}
      {open === "examples" && <Examples app={app} onClose={close} />}
      {open === "offer" && <Offer app={app} onClose={close} />}
      {open === "rename" && <Rename app={app} onClose={close} />}
      {open === "problems" && <Problems app={app} onClose={close} />}
      <Notice app={app} />
    </>
  );
}
