/** What lies over the page: palette, help, examples, rename, and the short notices. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { closeOverlay, dismissNotice, rename } from "../app/actions";
import type { App } from "../app/app";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/Icon";
import { lazy } from "../ui/lazy";
import { Palette } from "./Palette";

// What is fetched when somebody asks for it.
const Help = lazy(async () => (await import("./HelpDialogs")).Help);

const Examples = lazy(async () => (await import("./Examples")).Examples);

const Offer = lazy(async () => (await import("./Offer")).Offer);

function Rename({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const place = app.state.place.peek();
  const text = app.state.text.peek();
  const range = place?.definition;
  const name = range ? text.slice(range[0], range[1]) : (place?.instruction ?? "");
  useEffect(() => input.current?.select(), []);
  return (
    <Dialog label={words.commands.rename} class="rename" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = input.current?.value.trim() ?? "";
          onClose();
          if (wanted && wanted !== name) void rename(app, wanted);
          setTimeout(() => app.editor?.focus(), 0);
        }}
      >
        <input
          ref={input}
          class="mono"
          defaultValue={name}
          spellcheck={false}
          aria-label={words.editor.renameLabel}
        />
        <button type="submit" class="primary">
          {words.editor.renameGo}
        </button>
      </form>
    </Dialog>
  );
}

const NOTICE_MS = 5000;
/** With something to do, it takes longer to decide. */
const ACTION_MS = 15_000;

function Notice({ app }: { app: App }): JSX.Element {
  const notice = app.state.notice.value;
  useEffect(() => {
    if (!notice || notice.kind === "error") return;
    const timer = setTimeout(() => dismissNotice(app), notice.action ? ACTION_MS : NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div class="notices" role="status" aria-live="polite">
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
  return (
    <>
      {open === "palette" && <Palette app={app} />}
      {open === "help" && <Help app={app} onClose={close} />}
      {open === "examples" && <Examples app={app} onClose={close} />}
      {open === "offer" && <Offer app={app} onClose={close} />}
      {open === "rename" && <Rename app={app} onClose={close} />}
      <Notice app={app} />
    </>
  );
}
