/** The steps of a run as a line, with calls and iterations of loops as bands below, and a slider. */
import type { JSX } from "preact";
import type { DebugSpan } from "../../../../wasm/engine_api";
import { integer } from "../../ui/format";
import { debugWords } from "./words";

const WIDTH = 1000;
const ROW = 12;
const MOST_ROWS = 8;
/** Those of a device that is not followed. */
const FEW_ROWS = 2;
/** More are beside the list of devices, where each can be followed. */
const MOST_DEVICES = 64;
/** Narrower ones are not drawn: they would be one grey area. */
const LEAST = 0.6;

interface Placed {
  span: DebugSpan;
  row: number;
  x: number;
  width: number;
}

/** Where the spans of one device go: a row for each level of computations. */
export function placed(
  spans: readonly DebugSpan[],
  device: number,
  length: number,
  rows = MOST_ROWS,
): Placed[] {
  const scale = WIDTH / Math.max(1, length);
  return spans
    .filter((span) => span.device === device && span.depth < rows)
    .filter((span) => span.computation !== null)
    .map((span) => ({
      span,
      row: span.depth,
      x: span.begin * scale,
      width: (span.end - span.begin) * scale,
    }))
    .filter(({ width }) => width >= LEAST);
}

interface BandsProps {
  spans: readonly DebugSpan[];
  /** The one that is followed. */
  device: number;
  count: number;
  length: number;
  position: number;
  onMove(position: number): void;
  onFollow(device: number): void;
}

const nameOf = ({ caller, computation, iteration }: DebugSpan): string =>
  iteration >= 0 ? `${caller} ${computation}` : (computation ?? caller);

function Band(props: BandsProps & { own: number }): JSX.Element {
  const { spans, device, count, length, position, own } = props;
  const w = debugWords;
  const isFollowed = own === device;
  const bands = placed(spans, own, length, isFollowed ? MOST_ROWS : FEW_ROWS);
  const rows = Math.max(1, ...bands.map(({ row }) => row + 1));
  const height = rows * ROW;
  const x = (position / Math.max(1, length)) * WIDTH;
  return (
    <svg
      class={isFollowed ? "debug-bands followed" : "debug-bands"}
      viewBox={`0 0 ${WIDTH} ${height}`}
      style={{ height: `${height}px` }}
      preserveAspectRatio="none"
      role="img"
      aria-label={w.bands(own, count)}
      onPointerDown={(event) => {
        if (!isFollowed) {
          props.onFollow(own);
          return;
        }
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
  );
}

export function Bands(props: BandsProps): JSX.Element {
  const { device, count, length, position } = props;
  const w = debugWords;
  const first = Array.from({ length: Math.min(count, MOST_DEVICES) }, (_, i) => i);
  const devices = first.includes(device) ? first : [...first, device];
  return (
    <div class="debug-time">
      {count === 1 ? (
        <Band {...props} own={device} />
      ) : (
        <div class="debug-devices-bands">
          {devices.map((own) => (
            <div key={own} class="debug-device-band">
              <button
                type="button"
                class="quiet"
                aria-pressed={own === device}
                title={w.follow(own)}
                aria-label={w.follow(own)}
                onClick={() => props.onFollow(own)}
              >
                {own}
              </button>
              <Band {...props} own={own} />
            </div>
          ))}
        </div>
      )}
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
