/** Devices that wait at the end of a run, which failed for it: who for whom. */
import type { JSX } from "preact";
import type { DeviceState } from "../../../../wasm/engine_api";
import { ArrowHead } from "../../ui/ArrowHead";
import { hueOf } from "./exchanges";
import { deviceList } from "./tiles";
import { deviceWords as w } from "./words";

/** On the ring, and of the list. */
const MOST_DRAWN = 16;
const SIZE = 260;
const RADIUS = 17;

interface Point {
  x: number;
  y: number;
}

/** Where a device of so many is, on a circle. */
function pointOf(i: number, count: number): Point {
  const angle = (2 * Math.PI * i) / count - Math.PI / 2;
  const radius = SIZE / 2 - RADIUS - 4;
  return { x: SIZE / 2 + radius * Math.cos(angle), y: SIZE / 2 + radius * Math.sin(angle) };
}

/** From the edge of one circle to that of the other, bent so that there and back are two lines. */
function wayBetween(from: Point, to: Point): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const edge = RADIUS + 2;
  const middle = { x: (from.x + to.x) / 2 - uy * 16, y: (from.y + to.y) / 2 + ux * 16 };
  return `M${from.x + ux * edge} ${from.y + uy * edge}Q${middle.x} ${middle.y} ${to.x - ux * edge} ${to.y - uy * edge}`;
}

function Ring({ states }: { states: readonly DeviceState[] }): JSX.Element {
  const drawn = states.slice(0, MOST_DRAWN);
  const place = new Map(drawn.map(({ device }, i) => [device, pointOf(i, drawn.length)]));
  return (
    <svg class="waits" viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={w.deadlock}>
      <ArrowHead id="wait-head" size={9} />
      {drawn.flatMap(({ device, waits }) =>
        (waits?.missing ?? []).flatMap((missing) => {
          const [from, to] = [place.get(device), place.get(missing)];
          if (!from || !to || device === missing) return [];
          return [
            <path
              key={`${device} ${missing}`}
              d={wayBetween(from, to)}
              class="wait-line"
              marker-end="url(#wait-head)"
            />,
          ];
        }),
      )}
      {drawn.map(({ device, at }) => {
        const { x, y } = place.get(device) ?? { x: 0, y: 0 };
        return (
          <g key={device}>
            <circle cx={x} cy={y} r={RADIUS} class={at ? `hue-${hueOf(device)}` : "wait-ended"} />
            <text x={x} y={y} class="shard-number">
              {device}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** Nothing where nobody waits. */
export function Waits({ states }: { states: readonly DeviceState[] }): JSX.Element | null {
  const waiting = states.filter(({ waits }) => waits !== null);
  if (waiting.length === 0) return null;
  const ended = new Set(states.filter(({ at }) => at === null).map(({ device }) => device));
  const nameOf = (device: number): string => `${device}${ended.has(device) ? ` (${w.ended})` : ""}`;
  // Those concerned come first: a picture has room for some.
  const missing = new Set(waiting.flatMap(({ waits }) => waits?.missing ?? []));
  const concerned = states.filter(({ device, waits }) => waits !== null || missing.has(device));
  return (
    <>
      <h3>{w.deadlock}</h3>
      <Ring states={concerned} />
      {concerned.length > MOST_DRAWN && (
        <p class="muted">{w.drawn(MOST_DRAWN, concerned.length)}</p>
      )}
      <ul class="wait-list">
        {waiting.slice(0, MOST_DRAWN).map(({ device, at, waits }) => (
          <li key={device}>
            {w.waitLine(
              device,
              at ? `${at.opcode} ${at.shown}` : "",
              waits?.for ?? "",
              waits?.missing.length ? waits.missing.slice(0, 16).map(nameOf).join(", ") : w.nobody,
            )}
          </li>
        ))}
      </ul>
      {waiting.length > MOST_DRAWN && (
        <p class="muted">
          {deviceList(
            waiting.map(({ device }) => device),
            64,
          )}
        </p>
      )}
    </>
  );
}
