/** A long list of rows of one height, of which only the visible ones exist. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

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
}

export function VirtualList<T>(props: VirtualListProps<T>): JSX.Element {
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
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && props.selected >= 0) {
      props.onOpen?.(props.selected);
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
    <div
      ref={box}
      id={props.id}
      class={`virtual-list ${props.class ?? ""}`}
      role="listbox"
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
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
            <div
              key={index}
              id={`${props.id}-${index}`}
              class="virtual-row"
              role="option"
              aria-selected={index === props.selected}
              aria-setsize={props.items.length}
              aria-posinset={index + 1}
              style={{ top: `${index * props.rowHeight}px`, height: `${props.rowHeight}px` }}
              onClick={() => props.onSelect(index)}
              onDblClick={() => props.onOpen?.(index)}
            >
              {props.row(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
