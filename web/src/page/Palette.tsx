/** The command palette: everything the page can do, found by typing. */
import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeOverlay, goTo } from "../app/actions";
import type { App } from "../app/app";
import { openExample } from "../app/opening";
import { isMac, keyLabel } from "../commands/keys";
import { commands, perform } from "../commands/registry";
import { examples } from "../examples";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";

export interface PaletteItem {
  id: string;
  label: string;
  /** What it is called beside that. */
  name?: string;
  group: string;
  hint: string;
  act(): void;
}

const MOST_SHOWN = 60;
const MOST_INSTRUCTIONS = 20_000;

export function paletteItems(app: App): PaletteItem[] {
  const mac = isMac();
  const { groups } = words.palette;
  const items: PaletteItem[] = [
    ...commands
      .filter((command) => command.enabled(app))
      .map((command) => ({
        id: command.id,
        label: command.label,
        group: groups.command,
        hint: command.keys[0] ? keyLabel(command.keys[0], mac) : "",
        act: () => perform(app, command),
      })),
    ...examples.map((example) => ({
      id: `example-${example.id}`,
      label: example.title,
      group: groups.example,
      hint: "",
      act: () => openExample(app, example.id),
    })),
  ];
  for (const computation of app.state.outline.value) {
    for (const instruction of computation.instructions) {
      if (items.length > MOST_INSTRUCTIONS) return items;
      items.push({
        id: `go-${computation.name}-${instruction.name}`,
        label: instruction.shown,
        name: instruction.name,
        group: groups.instruction,
        hint: instruction.opcode,
        act: () => goTo(app, instruction.nameRange),
      });
    }
  }
  return items;
}

/** Items whose label holds every word; those that begin with the text come first. */
export function searchItems<T extends Pick<PaletteItem, "label" | "name" | "hint">>(
  items: T[],
  query: string,
): T[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = items.filter((item) => {
    const text = `${item.label} ${item.hint}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const first = wanted[0];
  if (first === undefined) return matching;
  const begins = ({ label, name }: T): boolean =>
    [label, name].some((text) => text?.toLowerCase().startsWith(first));
  return [...matching.filter(begins), ...matching.filter((item) => !begins(item))];
}

export function Palette({ app }: { app: App }): JSX.Element {
  const query = useSignal("");
  const at = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const all = useComputed(() => paletteItems(app));
  const shown = searchItems(all.value, query.value).slice(0, MOST_SHOWN);
  useLayoutEffect(() => input.current?.focus(), []);
  const close = (): void => closeOverlay(app, "palette");
  const choose = (item: PaletteItem | undefined): void => {
    if (!item) return;
    close();
    // A closing dialog restores the focus; the command runs afterwards and may move it.
    setTimeout(item.act, 0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      at.value = Math.max(0, Math.min(shown.length - 1, at.value + step));
      document.getElementById(`palette-${at.value}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") choose(shown[at.value]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={words.commands.palette} class="palette" onClose={close}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        {...(shown.length > 0 ? { "aria-activedescendant": `palette-${at.value}` } : {})}
        aria-label={words.palette.label}
        placeholder={words.palette.label}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={words.commands.palette}>
        {shown.map((item, i) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the box above has the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys
          <div
            key={item.id}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === at.value}
            onClick={() => choose(item)}
          >
            <span class="palette-label">{item.label}</span>
            <span class="palette-group">{item.group}</span>
            <kbd>{item.hint}</kbd>
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="empty">{words.palette.none}</p>}
    </Dialog>
  );
}
