/** Another name for what is under the cursor. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../app/app";
import { rename } from "../app/editing";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";

export function Rename({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
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
