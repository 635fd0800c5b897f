/** What an element reaches: a row for each step of the run, and what of the result it is. */
import type { JSX } from "preact";
import type { ReachedPart, ReachRow, WhyReach } from "../../../../wasm/engine_api";
import { integer } from "../../ui/format";
import { elementName } from "../../why/asking";
import { whyWords as w } from "../../why/words";

function extent({ count, of }: ReachedPart): string {
  if (of === 1) return "";
  return count === of ? w.reachedAll(integer(of)) : w.reachedOf(integer(count), integer(of));
}

/** "2 of 6 elements of part [1], all 3 elements of part [2]". */
function extents(parts: readonly ReachedPart[]): string {
  return parts
    .map((part) => {
      const what = extent(part) || w.reachesWhole;
      return part.path.length > 0 ? w.inPart(what, `[${part.path.join("][")}]`) : what;
    })
    .join(", ");
}

function Row(props: {
  row: ReachRow;
  selected: string;
  devices: boolean;
  onSelect(part: ReachedPart, key: string): void;
  id: string;
}): JSX.Element {
  const { row } = props;
  const when = [
    w.line(row.line),
    ...(row.iterations.length > 0 ? [w.iteration(row.iterations.join("."))] : []),
    ...(props.devices ? [w.device(row.device)] : []),
  ].join(", ");
  return (
    <li class="why-row">
      {row.parts.map((part, i) => {
        const key = `${props.id}.${i}`;
        return (
          <button
            key={key}
            type="button"
            class="why-element"
            aria-pressed={props.selected === key}
            onClick={() => props.onSelect(part, key)}
          >
            <span class="mono">
              {elementName(row.shown, part.path, part.of > 1 ? part.elements : "")}
            </span>
            {part.value === null ? (
              <span>{extent(part)}</span>
            ) : (
              <b class="mono why-value">{part.value}</b>
            )}
            <span class="muted mono">{row.opcode}</span>
            <span class="muted">{when}</span>
          </button>
        );
      })}
      {row.from && <p class="why-from muted">{w.from(row.from)}</p>}
    </li>
  );
}

export function ReachRows(props: {
  reach: WhyReach;
  steps: number;
  selected: string;
  onSelect(row: ReachRow, part: ReachedPart, key: string): void;
}): JSX.Element {
  const { rows, skipped, beforeGap, results, decisions, rough } = props.reach;
  const devices = results.length > 1 || rows.some(({ device }) => device > 0);
  return (
    <>
      <ul class="why-results">
        {results.map(({ device, parts }) => {
          const of = results.length > 1 ? device : null;
          return (
            <li key={device}>
              {parts.length > 0 ? w.reachesResult(extents(parts), of) : w.reachesNothing(of)}
            </li>
          );
        })}
        {decisions.map(({ step, opcode, shown }) => (
          <li key={`step ${step}`}>
            {opcode === "while" ? w.decidesLoop(shown) : w.decidesBranch(shown)}
          </li>
        ))}
      </ul>
      <ol class="why-rows" aria-label={w.reached}>
        {rows.flatMap((row, i) => [
          ...(skipped > 0 && i === beforeGap
            ? [
                <li key="gap" class="muted">
                  {w.skipped(integer(skipped))}
                </li>,
              ]
            : []),
          <Row
            key={row.step}
            id={String(i)}
            row={row}
            selected={props.selected}
            devices={devices}
            onSelect={(part, key) => props.onSelect(row, part, key)}
          />,
        ])}
      </ol>
      <p class="muted">
        {rough ? `${w.rough} ` : ""}
        {decisions.length > 0 && `${w.notCounted} `}
        {w.steps(props.steps)}
      </p>
    </>
  );
}
