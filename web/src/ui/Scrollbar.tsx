/**
 * A scroll bar for content that is longer than any browser can scroll. It is for pointers; keyboards
 * move the selected cell, and the content follows.
 */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

interface ScrollbarProps {
  vertical?: boolean;
  /** In units of the content: rows or columns. */
  position: number;
  max: number;
  shown: number;
  onScroll(position: number): void;
}

export function Scrollbar(props: ScrollbarProps): JSX.Element | null {
  const track = useRef<HTMLDivElement>(null);
  const grip = useRef<{ at: number; position: number } | null>(null);
  if (props.max <= 0) return null;
  const share = Math.max(0.06, props.shown / (props.max + props.shown));
  const offset = (props.position / props.max) * (1 - share);
  const along = (event: PointerEvent): number => {
    const rect = track.current?.getBoundingClientRect();
    if (!rect) return 0;
    return props.vertical
      ? (event.clientY - rect.top) / rect.height
      : (event.clientX - rect.left) / rect.width;
  };
  const onDown = (event: PointerEvent): void => {
    const at = along(event);
    let position = props.position;
    if (at < offset || at > offset + share) {
      position = ((at - share / 2) / (1 - share)) * props.max;
      props.onScroll(position);
    }
    grip.current = { at, position };
    track.current?.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const onMove = (event: PointerEvent): void => {
    if (!grip.current) return;
    const moved = ((along(event) - grip.current.at) / (1 - share)) * props.max;
    props.onScroll(grip.current.position + moved);
  };
  const release = (): void => {
    grip.current = null;
  };
  const size = `${share * 100}%`;
  const start = `${offset * 100}%`;
  return (
    <div
      ref={track}
      class={props.vertical ? "scrollbar vertical" : "scrollbar"}
      aria-hidden="true"
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <div style={props.vertical ? { height: size, top: start } : { width: size, left: start }} />
    </div>
  );
}
