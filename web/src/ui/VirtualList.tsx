/** A long list of rows of one height, of which only the visible ones exist. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
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

export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
  const { tree } = props;
  const box = useRef<HTMLDivElement>(null);
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
    if (!element || props.selected < 0) return;
    const y = props.selected * props.rowHeight;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + props.rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = y + props.rowHeight - element.clientHeight;
    }
  }, [props.selected, props.items]);

  const first = Math.max(0, Math.floor(top.value / props.rowHeight) - 4);
  const last = Math.min(
    props.items.length,
    Math.ceil((top.value + height.value) / props.rowHeight) + 4,
  );
  const page = Math.max(1, Math.floor(height.value / props.rowHeight) - 1);
  /** Right opens a row, or goes into it; left closes it, or goes out. */
  const onSideways = ({ key }: KeyboardEvent): boolean => {
    const item = props.items[props.selected];
    if (!tree || item === undefined || (key !== "ArrowRight" && key !== "ArrowLeft")) return false;
    const expanded = tree.expanded(item);
    if (expanded === (key === "ArrowLeft")) tree.toggle(props.selected);
    else if (key === "ArrowRight" && expanded) props.onSelect(props.selected + 1);
    else if (key === "ArrowLeft" && tree.parent(props.selected) >= 0) {
      props.onSelect(tree.parent(props.selected));
    }
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && props.selected >= 0) {
      props.onOpen?.(props.selected);
      return;
    }
    if (onSideways(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const moves: Record<string, number> = {
      ArrowDown: props.selected + 1,
      ArrowUp: props.selected - 1,
      PageDown: props.selected + page,
      PageUp: props.selected - page,
      Home: 0,
      End: props.items.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || props.items.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    props.onSelect(Math.max(0, Math.min(props.items.length - 1, to)));
  };
  const shown = props.items.slice(first, last);
  const active = props.selected >= first && props.selected < last;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, one of two
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: which both have
    <div
      ref={box}
      id={props.id}
      class={`virtual-list ${props.class ?? ""}`}
      role={tree ? "tree" : "listbox"}
      tabIndex={0}
      aria-label={props.label}
      {...(active ? { "aria-activedescendant": `${props.id}-${props.selected}` } : {})}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      onKeyDown={onKeyDown}
    >
      <div class="virtual-space" style={{ height: `${props.items.length * props.rowHeight}px` }}>
        {shown.map((item, i) => {
          const index = first + i;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
            // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, one of two
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: which both have
            <div
              key={index}
              id={`${props.id}-${index}`}
              class="virtual-row"
              aria-selected={index === props.selected}
              role={tree ? "treeitem" : "option"}
              {...(tree
                ? {
                    "aria-level": tree.level(item),
                    "aria-expanded": tree.expanded(item),
                  }
                : {
                    "aria-setsize": props.items.length,
                    "aria-posinset": index + 1,
                  })}
              style={{
                top: `${index * props.rowHeight}px`,
                height: `${props.rowHeight}px`,
                ...(tree ? { "--level": tree.level(item) - 1 } : {}),
              }}
              onClick={() => props.onSelect(index)}
              onDblClick={() => props.onOpen?.(index)}
            >
              {tree && <Toggle expanded={tree.expanded(item)} onClick={() => tree.toggle(index)} />}
              {props.row(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
