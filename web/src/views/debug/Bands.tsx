/** The steps of a run as a line, with calls and iterations of loops as bands below, and a slider. */
import type { JSX } from "preact";
import type { DebugSpan } from "../../../../wasm/engine_api";
import { integer } from "../../ui/format";
import { debugWords } from "./words";

const WIDTH = 1000;
const ROW = 12;
const MOST_ROWS = 8;
/** Narrower ones are not drawn: they would be one grey area. */
const LEAST = 0.6;

interface Placed {
  span: DebugSpan;
  row: number;
  x: number;
  width: number;
}

/** Where the spans of one device go: a row for each level of computations. */
export function placed(spans: readonly DebugSpan[], device: number, length: number): Placed[] {
  const scale = WIDTH / Math.max(1, length);
  return spans
    .filter((span) => span.device === device && span.depth < MOST_ROWS)
    .filter((span) => span.computation !== null)
    .map((span) => ({
      span,
      row: span.depth,
      x: span.begin * scale,
      width: (span.end - span.begin) * scale,
    }))
    .filter(({ width }) => width >= LEAST);
}

export function Bands(props: {
  spans: readonly DebugSpan[];
  device: number;
  length: number;
  position: number;
  onMove(position: number): void;
}): JSX.Element {
  const { spans, device, length, position } = props;
  const w = debugWords;
  const bands = placed(spans, device, length);
  const rows = Math.max(1, ...bands.map(({ row }) => row + 1));
  const height = rows * ROW;
  const x = (position / Math.max(1, length)) * WIDTH;
  const nameOf = ({ caller, computation, iteration }: DebugSpan): string =>
    iteration >= 0 ? `${caller} ${computation}` : (computation ?? caller);
  return (
    <div class="debug-time">
      <svg
        class="debug-bands"
        viewBox={`0 0 ${WIDTH} ${height}`}
        style={{ height: `${height}px` }}
        preserveAspectRatio="none"
        role="img"
        aria-label={w.bands}
        onPointerDown={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - box.left) / Math.max(1, box.width);
          props.onMove(Math.round(share * length));
        }}
      >
        {bands.map(({ span, row, x: left, width }) => (
          <rect
            key={`${span.begin} ${span.end} ${row}`}
            class={span.iteration >= 0 && span.iteration % 2 === 1 ? "odd" : ""}
            x={left}
            y={row * ROW + 1}
            width={Math.max(width - 0.3, 0.3)}
            height={ROW - 2}
          >
            <title>
              {w.band(nameOf(span), span.iteration, integer(span.begin), integer(span.end))}
            </title>
          </rect>
        ))}
        <line class="cursor" x1={x} x2={x} y1="0" y2={height} />
      </svg>
      <input
        type="range"
        min={0}
        max={length}
        value={position}
        aria-label={w.slider}
        aria-valuetext={w.position(integer(position), integer(length))}
        onInput={(event) => props.onMove(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
