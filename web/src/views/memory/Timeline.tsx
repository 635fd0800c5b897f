/**
 * The bytes that live in a memory at every position of a program: an area with its peak marked, and a
 * cursor for the position whose buffers are listed.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ProgramSpace } from "../../../../wasm/engine_api";
import { bytes, integer } from "../../ui/format";
import type { Scope } from "./session";
import { memoryWords } from "./words";

const WIDTH = 1000;
const HEIGHT = 100;

/** The outline of the area: steps, for memory changes at positions and not between them. */
export function areaPath(timeline: readonly number[], peak: number): string {
  if (timeline.length === 0 || peak <= 0) return "";
  const step = WIDTH / timeline.length;
  const y = (value: number): string => (HEIGHT - (value / peak) * (HEIGHT - 4)).toFixed(2);
  const tops = timeline.map((value, i) => `V${y(value)}H${((i + 1) * step).toFixed(2)}`).join("");
  return `M0 ${HEIGHT}${tops}V${HEIGHT}Z`;
}

/** The bytes at a position; of a long program the most in the stretch that it is in. */
export function bytesAt(timeline: readonly number[], positions: number, at: number): number {
  const stretch = Math.ceil(Math.max(1, positions) / Math.max(1, timeline.length));
  return timeline[Math.floor(at / stretch)] ?? 0;
}

function Line(props: { at: number; positions: number; class: string }): JSX.Element {
  const x = ((props.at + 0.5) / Math.max(1, props.positions)) * WIDTH;
  return <line class={props.class} x1={x} x2={x} y1="0" y2={HEIGHT} />;
}

export function Timeline(props: {
  space: ProgramSpace;
  /** Of the schedule. */
  positions: number;
  scope: Scope;
  onMove(at: number): void;
}): JSX.Element | null {
  const { space, positions, scope } = props;
  const { timeline, peakBytes, peakAt } = space;
  const hovered = useSignal<number | null>(null);
  if (timeline.length === 0) return null;
  const w = memoryWords;
  const label = w.timeline(integer(positions), bytes(peakBytes), space.peakName);
  const cursor = typeof scope === "number" ? scope : peakAt;
  const spoken = (at: number): string =>
    w.liveAt(integer(at), bytes(bytesAt(timeline, positions, at)));
  const positionOf = (event: PointerEvent): number => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    return Math.max(0, Math.min(positions - 1, Math.floor(share * positions)));
  };
  const shown = hovered.value ?? cursor;
  return (
    <div class="memory-chart">
      <div class="memory-axis" aria-hidden="true">
        <span>{bytes(peakBytes)}</span>
        <span>{bytes(peakBytes / 2)}</span>
        <span>0</span>
      </div>
      <svg
        class="memory-timeline"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        onPointerMove={(event) => {
          hovered.value = positionOf(event);
        }}
        onPointerLeave={() => {
          hovered.value = null;
        }}
        onPointerDown={(event) => props.onMove(positionOf(event))}
      >
        <line class="half" x1="0" x2={WIDTH} y1={HEIGHT / 2 + 2} y2={HEIGHT / 2 + 2} />
        <path class="area" d={areaPath(timeline, peakBytes)} />
        <Line class="peak" at={peakAt} positions={positions} />
        {hovered.value !== null && <Line class="hover" at={hovered.value} positions={positions} />}
        {cursor !== peakAt && <Line class="cursor" at={cursor} positions={positions} />}
      </svg>
      <input
        type="range"
        class="memory-cursor"
        style={{ "--positions": Math.max(1, positions) }}
        min={0}
        max={Math.max(0, positions - 1)}
        value={cursor}
        aria-label={w.cursor(space.name)}
        aria-valuetext={spoken(cursor)}
        onInput={(event) => props.onMove(event.currentTarget.valueAsNumber)}
      />
      <div class="memory-axis across" aria-hidden="true">
        <span>0</span>
        <span>{spoken(shown)}</span>
        <span>{integer(Math.max(0, positions - 1))}</span>
      </div>
    </div>
  );
}
