/** The bytes that live in a memory at every position of a program, as an area with its peak marked. */
import type { JSX } from "preact";
import type { ProgramSpace } from "../../../../wasm/engine_api";
import { bytes, integer } from "../../ui/format";
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

export function Timeline(props: {
  space: ProgramSpace;
  /** Of the schedule. */
  positions: number;
}): JSX.Element | null {
  const { space, positions } = props;
  const { timeline, peakBytes, peakAt } = space;
  if (timeline.length === 0) return null;
  const at = ((peakAt + 0.5) / Math.max(1, positions)) * WIDTH;
  const label = memoryWords.timeline(integer(positions), bytes(peakBytes), space.peakName);
  return (
    <svg
      class="memory-timeline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="area" d={areaPath(timeline, peakBytes)} />
      <line class="peak" x1={at} x2={at} y1="0" y2={HEIGHT} />
    </svg>
  );
}
