/** A long list of rows of one height, of which only the visible ones exist. */
import { useSignal } from "@preact/signals";
import type { JSX, RefObject, TargetedEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import "../styles/lists.css";

interface VirtualListProps<T> {
  id: string;
  label: string;
  items: readonly T[];
  rowHeight: number;
  /** Index of the selected row, -1 for none. */
  selected: number;
  onSelect(index: number): void;
  /** Enter or double click. */
  onOpen?(index: number): void;
  row(item: T, index: number): JSX.Element;
  /** Wider than the box: scrolls sideways. */
  class?: string;
  /** What is selected may be out of sight: the first rows are what is looked for. */
  staysAtTop?: boolean;
  /** Rows have levels, and may be opened and closed: the arrows to the sides do it. */
  tree?: TreeProps<T>;
}

interface TreeProps<T> {
  /** 1 and up. */
  level(item: T): number;
  /** Undefined for what cannot be opened. */
  expanded(item: T): boolean | undefined;
  /** Index of the row that a row belongs to, -1 for none. */
  parent(index: number): number;
  toggle(index: number): void;
}

/** What opens and closes a row by mouse; keys have the arrows. */
function Toggle(props: { expanded: boolean | undefined; onClick(): void }): JSX.Element {
  const { expanded, onClick } = props;
  if (expanded === undefined) return <span class="tree-toggle" />;
  return (
    <button
      type="button"
      class="tree-toggle"
      tabIndex={-1}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      {expanded ? "▾" : "▸"}
    </button>
  );
}

/** Which rows there are: those on the screen, and a few around it. */
interface RowWindow {
  first: number;
  /** One past the last. */
  last: number;
  /** How many rows a page key moves by. */
  page: number;
  onScroll(event: TargetedEvent<HTMLElement>): void;
}

/** Rows made above and below the visible ones. */
const SPARE = 4;

/** Follows the scrolling and the height of the box, and scrolls the selected row into it. */
function useRowWindow<T>(
  box: RefObject<HTMLElement | null>,
  props: VirtualListProps<T>,
): RowWindow {
  const { items, rowHeight, selected } = props;
  const top = useSignal(0);
  const height = useSignal(400);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || selected < 0 || props.staysAtTop) return;
    const y = selected * rowHeight;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = y + rowHeight - element.clientHeight;
    }
  }, [selected, items]);
  return {
    first: Math.max(0, Math.floor(top.value / rowHeight) - SPARE),
    last: Math.min(items.length, Math.ceil((top.value + height.value) / rowHeight) + SPARE),
    page: Math.max(1, Math.floor(height.value / rowHeight) - 1),
    onScroll: (event) => {
      top.value = event.currentTarget.scrollTop;
    },
  };
}

/** Right opens a row, or goes into it; left closes it, or goes out. False: the key is not for a tree. */
function movedSideways<T>({ key }: KeyboardEvent, props: VirtualListProps<T>): boolean {
  const { tree } = props;
  const item = props.items[props.selected];
  if (!tree || item === undefined || (key !== "ArrowRight" && key !== "ArrowLeft")) return false;
  const expanded = tree.expanded(item);
  if (expanded === (key === "ArrowLeft")) tree.toggle(props.selected);
  else if (key === "ArrowRight" && expanded) props.onSelect(props.selected + 1);
  else if (key === "ArrowLeft" && tree.parent(props.selected) >= 0) {
    props.onSelect(tree.parent(props.selected));
  }
  return true;
}

/** What a key does to the list; false where it does nothing that the browser must not do too. */
function pressed<T>(event: KeyboardEvent, page: number, props: VirtualListProps<T>): boolean {
  const { items, selected } = props;
  if (event.key === "Enter" && selected >= 0) {
    props.onOpen?.(selected);
    return false;
  }
  if (movedSideways(event, props)) return true;
  const moves: Record<string, number> = {
    ArrowDown: selected + 1,
    ArrowUp: selected - 1,
    PageDown: selected + page,
    PageUp: selected - page,
    Home: 0,
    End: items.length - 1,
  };
  const to = moves[event.key];
  if (to === undefined || items.length === 0) return false;
  props.onSelect(Math.max(0, Math.min(items.length - 1, to)));
  return true;
}

/** A row at its place in the list. */
function Row<T>(props: { list: VirtualListProps<T>; item: T; index: number }): JSX.Element {
  const { list, item, index } = props;
  const { tree } = list;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, one of two
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: which both have
    <div
      id={`${list.id}-${index}`}
      class="virtual-row"
      aria-selected={index === list.selected}
      role={tree ? "treeitem" : "option"}
      {...(tree
        ? { "aria-level": tree.level(item), "aria-expanded": tree.expanded(item) }
        : { "aria-setsize": list.items.length, "aria-posinset": index + 1 })}
      style={{
        top: `${index * list.rowHeight}px`,
        height: `${list.rowHeight}px`,
        ...(tree ? { "--level": tree.level(item) - 1 } : {}),
      }}
      onClick={() => list.onSelect(index)}
      onDblClick={() => list.onOpen?.(index)}
    >
      {tree && <Toggle expanded={tree.expanded(item)} onClick={() => tree.toggle(index)} />}
      {list.row(item, index)}
    </div>
  );
}

/** A list box, or a tree, that is moved in by keys and scrolled like any box. */
export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { id, items, selected, tree } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, last, page, onScroll } = useRowWindow(box, props);
  const isMade = selected >= first && selected < last;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, one of two
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: which both have
    <div
      ref={box}
      id={id}
      class={`virtual-list ${props.class ?? ""}`}
      role={tree ? "tree" : "listbox"}
      tabIndex={0}
      aria-label={props.label}
      {...(isMade ? { "aria-activedescendant": `${id}-${selected}` } : {})}
      onScroll={onScroll}
      onKeyDown={(event) => {
        if (!pressed(event, page, props)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div class="virtual-space" style={{ height: `${items.length * props.rowHeight}px` }}>
        {items.slice(first, last).map((item, i) => (
          <Row key={first + i} list={props} item={item} index={first + i} />
        ))}
      </div>
    </div>
  );
}
