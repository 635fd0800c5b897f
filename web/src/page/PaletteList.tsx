/** The list of the command palette: everything the page can do. Fetched after the first screen. */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { closeOverlay, goTo } from "../app/actions";
import type { App } from "../app/app";
import { openExample } from "../app/opening";
import { isMac, keyLabel } from "../commands/keys";
import { commands, perform } from "../commands/registry";
import { examples } from "../examples/list";
import { words } from "../strings";
import type { PaletteBox } from "./palette_box";

export interface PaletteItem {
  id: string;
  label: string;
  /** What it is called beside that. */
  name?: string;
  /** What else it is looked for by. */
  also?: string | undefined;
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
        also: command.also,
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

/** Items whose label or other words hold every word; those that begin with the text come first. */
export function searchItems<T extends Pick<PaletteItem, "label" | "name" | "also" | "hint">>(
  items: T[],
  query: string,
): T[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = items.filter((item) => {
    const text = `${item.label} ${item.hint} ${item.also ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const first = wanted[0];
  if (first === undefined) return matching;
  const begins = ({ label, name }: T): boolean =>
    [label, name].some((text) => text?.toLowerCase().startsWith(first));
  return [...matching.filter(begins), ...matching.filter((item) => !begins(item))];
}

export function PaletteList({ app, box }: { app: App; box: PaletteBox }): JSX.Element {
  const { query, at } = box;
  const all = useComputed(() => paletteItems(app));
  // Asked for when a key comes, which may be before the page has been drawn anew.
  const shown = useComputed(() => searchItems(all.value, query.value).slice(0, MOST_SHOWN));
  const choose = (item: PaletteItem | undefined): void => {
    if (!item) return;
    closeOverlay(app, "palette");
    // A closing dialog restores the focus; the command runs afterwards and may move it.
    setTimeout(item.act, 0);
  };
  const hear = (key: string): void => {
    if (key === "Enter") {
      choose(shown.value[at.value]);
      return;
    }
    const next = at.value + (key === "ArrowDown" ? 1 : -1);
    at.value = Math.max(0, Math.min(shown.value.length - 1, next));
    document.getElementById(`palette-${at.value}`)?.scrollIntoView({ block: "nearest" });
  };
  useLayoutEffect(() => {
    box.hear = hear;
    for (const key of box.early.splice(0)) hear(key);
    return () => {
      box.hear = null;
    };
  }, []);
  const { length } = shown.value;
  useLayoutEffect(() => {
    box.count.value = length;
  }, [length]);
  return (
    <>
      <div id="palette-list" role="listbox" aria-label={words.commands.palette}>
        {shown.value.map((item, i) => (
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
      {length === 0 && <p class="empty">{words.palette.none}</p>}
    </>
  );
}
