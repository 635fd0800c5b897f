/** A bar between two panes, moved by pointer or keyboard; a double click puts it back. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

interface SplitterProps {
  /** Share of the first pane, 0 to 1. */
  share: number;
  onMove(share: number): void;
  initial: number;
  min: number;
  max: number;
  /** True when the panes are one above the other. */
  stacked: boolean;
  label: string;
}

export function Splitter(props: SplitterProps): JSX.Element {
  const { min, max, stacked } = props;
  const dragging = useRef(false);
  const set = (value: number): void => {
    props.onMove(Math.max(min, Math.min(max, value)));
  };
  const onMove = (event: PointerEvent): void => {
    const parent = (event.currentTarget as Element).parentElement;
    if (!dragging.current || !parent) return;
    const rect = parent.getBoundingClientRect();
    set(
      stacked ? (event.clientY - rect.top) / rect.height : (event.clientX - rect.left) / rect.width,
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 0.1 : 0.02;
    const back = stacked ? "ArrowUp" : "ArrowLeft";
    const forth = stacked ? "ArrowDown" : "ArrowRight";
    if (event.key === back) set(props.share - step);
    else if (event.key === forth) set(props.share + step);
    else if (event.key === "Home") set(min);
    else if (event.key === "End") set(max);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that can be moved is a separator with a value
    <div
      class={stacked ? "splitter stacked" : "splitter"}
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={stacked ? "horizontal" : "vertical"}
      aria-valuenow={Math.round(props.share * 100)}
      aria-valuemin={Math.round(min * 100)}
      aria-valuemax={Math.round(max * 100)}
      onKeyDown={onKeyDown}
      onDblClick={() => set(props.initial)}
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        dragging.current = false;
      }}
    />
  );
}
