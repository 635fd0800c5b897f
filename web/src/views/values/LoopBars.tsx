/** Which iteration of each loop is shown. */
import type { JSX } from "preact";
import type { TraceEntry } from "../../../../wasm/engine_api";
import { chooseValue } from "../../app/actions";
import type { App } from "../../app/app";
import { inIteration, type Loop, stretches } from "./loops";
import { valuesSession } from "./session";
import { valueWords } from "./words";

/** With more loops those around the value that is looked at are shown, and the first others. */
const MOST_BARS = 3;

/** The loops that have a slider. */
export function barsOf(loops: readonly Loop[], focus: TraceEntry | null): Loop[] {
  const isAround = ({ first, last }: Loop): boolean =>
    focus !== null && first <= focus.id && focus.id <= last;
  const near = loops.filter(isAround);
  const others = loops.filter((loop) => !isAround(loop));
  const chosen = new Set([...near, ...others.slice(0, Math.max(0, MOST_BARS - near.length))]);
  return loops.filter((loop) => chosen.has(loop));
}

/** What is kept of a loop's iterations, where that is not all of them. */
export function keptText(loop: Loop): string {
  const ranges = (numbers: readonly number[]): string =>
    stretches(numbers)
      .map(([begin, end]) => valueWords.range(begin, end))
      .join(", ");
  const parts: string[] = [];
  if (loop.kept.filter((number) => number < loop.count).length < loop.count)
    parts.push(valueWords.kept(ranges(loop.kept)));
  if (loop.dropped.length > 0) parts.push(valueWords.lost(ranges(loop.dropped)));
  return parts.join("; ");
}

function Bar({ app, loop }: { app: App; loop: Loop }): JSX.Element {
  const { iterations } = valuesSession(app);
  const name = loop.entry?.shown ?? valueWords.unfinished;
  const choose = (iteration: number): void => {
    iterations.value = { ...iterations.value, [loop.key]: iteration };
    const entry = app.state.chosen.value?.entry;
    const trace = app.state.results.value?.run.trace;
    const isInside =
      entry && loop.first <= entry.id && entry.id <= loop.last && entry !== loop.entry;
    if (!trace || !isInside) return;
    const other = inIteration(trace, entry, loop.level, iteration) ?? loop.entry;
    if (other) chooseValue(app, { entry: other.id, path: [] }, other);
  };
  const text = valueWords.iterationOf(loop.shown, loop.count);
  return (
    <label class="loop-bar" style={{ paddingLeft: `${10 + loop.level * 12}px` }}>
      <code>{name}</code>
      <input
        type="range"
        min={0}
        max={loop.kept.length - 1}
        value={loop.kept.indexOf(loop.shown)}
        aria-label={valueWords.iterationLabel(name)}
        aria-valuetext={text}
        onInput={(event) => choose(loop.kept[event.currentTarget.valueAsNumber] ?? loop.shown)}
      />
      <span>{text}</span>
      <span class="muted">{keptText(loop)}</span>
    </label>
  );
}

export function LoopBars({ app, loops }: { app: App; loops: readonly Loop[] }): JSX.Element | null {
  const bars = barsOf(loops, app.state.chosen.value?.entry ?? null);
  if (bars.length === 0) return null;
  return (
    <div class="loop-bars">
      {bars.map((loop) => (
        <Bar key={`${loop.key} ${loop.level}`} app={app} loop={loop} />
      ))}
      {loops.length > bars.length && (
        <p class="muted">{valueWords.otherLoops(loops.length - bars.length)}</p>
      )}
    </div>
  );
}
