/**
 * The roofline: what a machine reaches at most by how many operations there are per byte, and where
 * instructions are below it. One focusable list of points; arrows go from one to the next.
 */
import type { JSX } from "preact";
import type { CostRow, MachineInfo } from "../../../../wasm/engine_api";
import { withUnit } from "../../ui/scaled";
import { useWidth } from "../../ui/size";
import { costWords } from "./words";

const MOST_WIDTH = 900;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 34;

/** A logarithmic axis over whole powers of ten. */
export interface Axis {
  from: number;
  to: number;
}

/** The powers of ten around some values; those that are not positive do not count. */
export function axisOf(values: readonly number[]): Axis {
  const good = values.filter((value) => value > 0 && Number.isFinite(value));
  if (good.length === 0) return { from: 0, to: 1 };
  const logs = good.map(Math.log10);
  const from = Math.floor(Math.min(...logs));
  return { from, to: Math.max(from + 1, Math.ceil(Math.max(...logs))) };
}

/** Where a value is on an axis, from 0 to 1. */
export function placeOn(axis: Axis, value: number): number {
  if (value <= 0) return 0;
  return Math.max(0, Math.min(1, (Math.log10(value) - axis.from) / (axis.to - axis.from)));
}

/** What can be drawn: it computes, moves bytes, and takes time. */
export function pointsOf(rows: readonly CostRow[]): CostRow[] {
  return rows
    .filter((row) => row.bound !== "parts" && row.seconds > 0 && row.intensity > 0)
    .sort((a, b) => a.intensity - b.intensity);
}

const rateOf = (row: CostRow): number => (row.flops + row.transcendentals) / row.seconds;

/** Every n-th power of ten, so that labels do not meet. */
function ticks({ from, to }: Axis): number[] {
  const step = Math.ceil((to - from) / 6);
  const all: number[] = [];
  for (let power = from; power <= to; power += step) all.push(power);
  return all;
}

export function Roofline(props: {
  rows: readonly CostRow[];
  machine: MachineInfo;
  isSelected(row: CostRow): boolean;
  onSelect(row: CostRow): void;
}): JSX.Element {
  const { machine, isSelected, onSelect } = props;
  const w = costWords;
  const { ref, width: room } = useWidth(MOST_WIDTH);
  const width = Math.min(MOST_WIDTH, room.value);
  const points = pointsOf(props.rows);
  const peaks = [...new Set([...points.map(({ peak }) => peak)])].filter((peak) => peak > 0);
  const highest = Math.max(...peaks, machine.peak64, machine.peak32, machine.peak16, machine.peak8);
  const x = axisOf([...points.map(({ intensity }) => intensity), highest / machine.bandwidth]);
  const y = axisOf([...points.map(rateOf), highest]);
  const px = (value: number): number => LEFT + placeOn(x, value) * (width - LEFT - RIGHT);
  const py = (value: number): number =>
    HEIGHT - BOTTOM - placeOn(y, value) * (HEIGHT - TOP - BOTTOM);
  const roof = (peak: number): string => {
    const least = 10 ** x.from;
    const ridge = peak / machine.bandwidth;
    const begin = Math.max(least, 10 ** y.from / machine.bandwidth);
    if (ridge <= begin) return `M${px(begin)} ${py(peak)}H${width - RIGHT}`;
    return `M${px(begin)} ${py(begin * machine.bandwidth)}L${px(ridge)} ${py(peak)}H${width - RIGHT}`;
  };
  const selected = points.findIndex(isSelected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      ArrowRight: selected + 1,
      ArrowLeft: selected - 1,
      Home: 0,
      End: points.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || points.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const point = points[Math.max(0, Math.min(points.length - 1, to))];
    if (point) onSelect(point);
  };
  return (
    <div
      ref={ref}
      class="cost-roofline"
      role="listbox"
      tabIndex={0}
      aria-label={w.plot(points.length)}
      {...(selected >= 0 ? { "aria-activedescendant": `cost-point-${selected}` } : {})}
      onKeyDown={onKeyDown}
    >
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="presentation">
        {ticks(x).map((power) => (
          <g key={power} class="tick">
            <line x1={px(10 ** power)} x2={px(10 ** power)} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text x={px(10 ** power)} y={HEIGHT - BOTTOM + 14} text-anchor="middle">
              {power < 0 ? `1e${power}` : withUnit(10 ** power, "").trim()}
            </text>
          </g>
        ))}
        {ticks(y).map((power) => (
          <g key={power} class="tick">
            <line x1={LEFT} x2={width - RIGHT} y1={py(10 ** power)} y2={py(10 ** power)} />
            <text x={LEFT - 6} y={py(10 ** power) + 4} text-anchor="end">
              {withUnit(10 ** power, "op/s")}
            </text>
          </g>
        ))}
        <text class="axis" x={(LEFT + width) / 2} y={HEIGHT - 4} text-anchor="middle">
          {w.axisX}
        </text>
        {(peaks.length > 0 ? peaks : [highest]).map((peak) => (
          <path key={peak} class="roof" d={roof(peak)} />
        ))}
        {points.map((row, i) => (
          <circle
            key={`${row.computation} ${row.name}`}
            id={`cost-point-${i}`}
            class={`point ${row.bound}`}
            role="option"
            aria-selected={i === selected}
            aria-label={w.point(
              row.shown,
              String(Number(row.intensity.toPrecision(3))),
              withUnit(rateOf(row), "op/s"),
              w.bound[row.bound],
            )}
            cx={px(row.intensity)}
            cy={py(rateOf(row))}
            r={4 + 8 * Math.sqrt(Math.min(1, row.share))}
            onClick={() => onSelect(row)}
          />
        ))}
      </svg>
    </div>
  );
}
