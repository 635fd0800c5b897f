/**
 * The command palette: everything the page can do, found by typing. Its box opens at once; the list
 * is fetched after the first screen, and what is typed before it arrives is kept for it.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { closeOverlay } from "../app/actions";
import type { App } from "../app/app";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";
import { lazy } from "../ui/lazy";
import type { PaletteBox } from "./palette_box";

export const loadPaletteList = async () => (await import("./PaletteList")).PaletteList;
const PaletteList = lazy(loadPaletteList);

export function Palette({ app }: { app: App }): JSX.Element {
  const query = useSignal("");
  const at = useSignal(0);
  const count = useSignal(0);
  const box = useMemo<PaletteBox>(() => ({ query, at, count, hear: null, early: [] }), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key !== "Enter" && key !== "ArrowDown" && key !== "ArrowUp") return;
    if (box.hear) box.hear(key);
    else box.early.push(key);
    event.preventDefault();
  };
  return (
    <Dialog
      label={words.commands.palette}
      class="palette"
      onClose={() => closeOverlay(app, "palette")}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        {...(count.value > 0 ? { "aria-activedescendant": `palette-${at.value}` } : {})}
        aria-label={words.palette.label}
        placeholder={words.palette.label}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList app={app} box={box} />
    </Dialog>
  );
}
