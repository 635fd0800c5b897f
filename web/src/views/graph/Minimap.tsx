/** The whole picture in a corner, with what is on the screen; pointing into it goes there. */
import { type Signal, useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { GraphModel } from "../../../../wasm/engine_api";
import type { Placed } from "../../graph/placing";
import type { Size, ViewPort } from "./view_port";
import { graphWords as w } from "./words";

const MOST = { width: 150, height: 110 };
/** On a narrower screen it would be over what is looked at. */
const LEAST_SCREEN = 500;

export function Minimap(props: {
  placed: Placed;
  model: GraphModel;
  view: Signal<ViewPort>;
  screen: Signal<Size>;
}): JSX.Element | null {
  const { placed, model, view, screen } = props;
  const boxes = useMemo(
    () =>
      placed.boxes
        .map(({ x, y, width, height }, i) =>
          model.boxes[i]?.isOpen ? "" : `M${x} ${y}h${width}v${height}h${-width}z`,
        )
        .join(""),
    [placed],
  );
  const isNeedless = useComputed(() => {
    const { x, y, scale } = view.value;
    const { width, height } = screen.value;
    if (width < LEAST_SCREEN) return true;
    return (
      x <= 0 && y <= 0 && x + width / scale >= placed.width && y + height / scale >= placed.height
    );
  }).value;
  if (isNeedless || placed.width <= 0 || placed.height <= 0) return null;
  const scale = Math.min(MOST.width / placed.width, MOST.height / placed.height);
  const go = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    const { width, height } = screen.value;
    view.value = {
      ...view.value,
      x: (event.clientX - left) / scale - width / view.value.scale / 2,
      y: (event.clientY - top) / scale - height / view.value.scale / 2,
    };
  };
  return (
    <svg
      class="graph-minimap"
      width={Math.max(24, placed.width * scale)}
      height={Math.max(24, placed.height * scale)}
      viewBox={`0 0 ${Math.max(24 / scale, placed.width)} ${Math.max(24 / scale, placed.height)}`}
      preserveAspectRatio="xMinYMin meet"
      aria-hidden="true"
      data-label={w.overview}
      onPointerDown={go}
      onPointerMove={go}
    >
      <path d={boxes} />
      <Seen view={view} screen={screen} />
    </svg>
  );
}

function Seen({ view, screen }: { view: Signal<ViewPort>; screen: Signal<Size> }): JSX.Element {
  const { x, y, scale } = view.value;
  const { width, height } = screen.value;
  return <rect x={x} y={y} width={width / scale} height={height / scale} />;
}
