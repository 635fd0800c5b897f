/** The error of one value after the other along the run. Each point leads to its instruction. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ErrorGrowth, GrowthPoint } from "../../../../wasm/engine_api";
import { goTo, moveFocus, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { integer } from "../../ui/format";
import { decades, errorText, heightOf, loopBands, pathOfBars } from "./figures";
import { precisionWords as w } from "./words";

const WIDTH = 1000;
const HEIGHT = 140;

function Picture(props: {
  points: readonly GrowthPoint[];
  least: number;
  most: number;
  at: number;
  onPoint(at: number): void;
}): JSX.Element {
  const { points, least, most, at } = props;
  const step = WIDTH / points.length;
  const lines = [];
  for (let decade = Math.ceil(least); decade < most; decade++) {
    const y = HEIGHT * (1 - (decade - least) / (most - least));
    lines.push(<line key={decade} class="grid" x1="0" x2={WIDTH} y1={y} y2={y} />);
  }
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = (event.clientX - box.left) / Math.max(1, box.width);
        const index = Math.floor(share * points.length);
        props.onPoint(Math.min(points.length - 1, Math.max(0, index)));
      }}
    >
      {loopBands(points).map(({ begin, end, odd }) => (
        <rect
          key={begin}
          class={odd ? "loop odd" : "loop"}
          x={begin * step}
          width={(end - begin) * step}
          y="0"
          height={HEIGHT}
        />
      ))}
      {lines}
      <path class="bars" d={pathOfBars(points, least, most, WIDTH, HEIGHT)} />
      <line class="cursor" x1={(at + 0.5) * step} x2={(at + 0.5) * step} y1="0" y2={HEIGHT} />
    </svg>
  );
}

/** Index of the point of the largest error. */
const worstOf = (points: readonly GrowthPoint[]): number =>
  points.reduce(
    (best, point, i) => (heightOf(point.norm) > heightOf(points[best]?.norm ?? 0) ? i : best),
    0,
  );

/** Selects the execution that a point is of, and goes to it in the text; `isFinal`: with the focus. */
function showPoint(app: App, { points, instructions }: ErrorGrowth, at: number, isFinal: boolean) {
  const target = points[at];
  const where = target && instructions[target.instruction];
  if (!target || !where) return;
  selectInstruction(app, where);
  moveFocus(app, {
    ...{ name: where.name, computation: where.computation },
    iterations: target.iterations.length > 0 ? target.iterations : null,
    device: target.device,
  });
  if (isFinal) goTo(app, where.range);
  else app.editor?.goTo(where.range, false);
}

interface PointLineProps {
  point: GrowthPoint;
  instruction: ErrorGrowth["instructions"][number];
  /** Values of the run. */
  total: number;
  onShow(): void;
}

/** What is known of a point. */
function PointLine({ point, instruction, total, onShow }: PointLineProps): JSX.Element {
  return (
    <p class="precision-point">
      <button type="button" class="quiet mono" onClick={onShow}>
        {instruction.shown}
      </button>{" "}
      <span class="muted">
        {instruction.opcode}
        {point.iterations.length > 0 && w.iteration(point.iterations)}
        {point.device > 0 && w.onDevice(point.device)}
        {", "}
        {w.executed(integer(point.at + 1), integer(total))}:
      </span>{" "}
      {w.pointError(errorText(point.norm), errorText(point.ulp), errorText(point.introduced))}
    </p>
  );
}

export function Growth({ app, growth }: { app: App; growth: ErrorGrowth }): JSX.Element | null {
  const { points, instructions } = growth;
  // The point that is looked at, of this answer: the largest error to begin with.
  const chosen = useSignal<{ of: ErrorGrowth; at: number } | null>(null);
  const at = chosen.value?.of === growth ? chosen.value.at : worstOf(points);
  const point = points[at];
  const instruction = point && instructions[point.instruction];
  if (!point || !instruction) return null;
  const { least, most } = decades(points);
  const show = (next: number, isFinal: boolean): void => {
    chosen.value = { of: growth, at: next };
    showPoint(app, growth, next, isFinal);
  };
  const last = points.at(-1);
  const total = last ? last.at + last.count : 0;
  return (
    <section class="precision-growth" aria-label={w.growth}>
      <h2>{w.growth}</h2>
      <p class="muted">
        {w.growthAbout(
          total,
          points.some(({ count }) => count > 1),
        )}
      </p>
      <div class="precision-plot">
        <span class="top">{errorText(10 ** most)}</span>
        <span class="bottom">{errorText(10 ** least)}</span>
        <Picture
          points={points}
          least={least}
          most={most}
          at={at}
          onPoint={(next) => show(next, true)}
        />
      </div>
      <input
        type="range"
        min={0}
        max={points.length - 1}
        value={at}
        aria-label={w.growthSlider}
        aria-valuetext={w.growthPoint(instruction.shown, point.iterations, errorText(point.norm))}
        onInput={(event) => show(event.currentTarget.valueAsNumber, false)}
        onKeyDown={(event) => {
          if (event.key === "Enter") goTo(app, instruction.range);
        }}
      />
      <PointLine
        point={point}
        instruction={instruction}
        total={total}
        onShow={() => show(at, true)}
      />
    </section>
  );
}
