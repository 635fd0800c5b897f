/** Where an element comes from: a row for each element of the chain, with what goes into it. */
import type { JSX } from "preact";
import type { WhyResult, WhyRow, WhySource } from "../../../../wasm/engine_api";
import { integer } from "../../ui/format";
import { elementName, indexText } from "../../why/asking";
import { whyWords } from "../../why/words";

/** So many of the elements that one depends on are buttons. */
const MOST_SOURCES = 6;

function Source(props: { source: WhySource; onFollow(source: WhySource): void }): JSX.Element {
  const { source } = props;
  const name = elementName(source.shown, source.path, source.elements);
  return (
    <li>
      <button
        type="button"
        class="quiet mono"
        title={whyWords.follow(elementName(source.shown, source.path, indexText(source.index)))}
        onClick={() => props.onFollow(source)}
      >
        {name}
        {source.value !== null && <b> = {source.value}</b>}
      </button>
      {source.role !== "value" && <span class="muted"> {whyWords.roles[source.role]}</span>}
    </li>
  );
}

function Row(props: {
  row: WhyRow;
  selected: boolean;
  devices: boolean;
  onSelect(): void;
  onFollow(source: WhySource): void;
}): JSX.Element {
  const { row } = props;
  const w = whyWords;
  const when = [
    w.line(row.line),
    ...(row.iterations.length > 0 ? [w.iteration(row.iterations.join("."))] : []),
    ...(props.devices ? [w.device(row.device)] : []),
  ];
  const shown = row.sources.slice(0, MOST_SOURCES);
  const more = row.sourceCount - shown.length;
  return (
    <li class="why-row">
      <button
        type="button"
        class="why-element"
        aria-pressed={props.selected}
        onClick={() => props.onSelect()}
      >
        <span class="mono">{elementName(row.shown, row.path, indexText(row.index))}</span>
        <b class="mono why-value">{row.value}</b>
        <span class="muted mono">{row.opcode}</span>
        <span class="muted">{when.join(", ")}</span>
      </button>
      {shown.length > 0 && (
        <ul class="why-sources" title={row.rule ? w.dependsOn(row.rule) : undefined}>
          {shown.map((source, i) => (
            <Source key={i} source={source} onFollow={props.onFollow} />
          ))}
          {more > 0 && <li class="muted">{w.more(integer(more))}</li>}
        </ul>
      )}
    </li>
  );
}

function ending(answer: WhyResult): string {
  const last = answer.rows.at(-1);
  if (!last) return "";
  if (last.sourceCount === 0) return whyWords.nothing;
  return answer.complete ? whyWords.made : whyWords.goesOn;
}

export function ChainRows(props: {
  answer: WhyResult;
  selected: number;
  onSelect(row: number): void;
  onFollow(source: WhySource): void;
}): JSX.Element {
  const { answer } = props;
  const devices = answer.rows.some(({ device }) => device > 0);
  return (
    <>
      <ol class="why-rows" aria-label={whyWords.chain}>
        {answer.rows.flatMap((row, i) => [
          ...(answer.skipped > 0 && i === answer.beforeGap
            ? [
                <li key="gap" class="muted">
                  {whyWords.skipped(integer(answer.skipped))}
                </li>,
              ]
            : []),
          <Row
            key={i}
            row={row}
            selected={props.selected === i}
            devices={devices}
            onSelect={() => props.onSelect(i)}
            onFollow={props.onFollow}
          />,
        ])}
      </ol>
      <p class="muted">
        {ending(answer)} {whyWords.steps(answer.steps)}
      </p>
    </>
  );
}
