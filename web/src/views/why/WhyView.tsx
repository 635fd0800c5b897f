/**
 * Where an element of the last run comes from: a chain of elements, each a button that selects it.
 * An engine of its own records the run again, so that cancelling it loses nothing on the screen.
 */
import { batch, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FirstKind, WhyResult, WhyRow, WhySource } from "../../../../wasm/engine_api";
import { run } from "../../app/actions";
import { type App, perPage } from "../../app/app";
import { type EngineLink, isAbort } from "../../app/engine_link";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { integer } from "../../ui/format";
import { elementName, indexText, optionsFor, selectedElement, selectRow } from "./asking";
import { whySession } from "./session";
import { whyWords } from "./words";
import "./why.css";

/** So many of the elements that one depends on are buttons. */
const MOST_SOURCES = 6;
/** Milliseconds after which a question that nobody waits for any more is cancelled, not awaited. */
const LONG = 1000;
const NO_ROWS: readonly WhyRow[] = [];

const engineOf = perPage((app): EngineLink => app.engines.another());

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

function Rows(props: {
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
        {ending(answer)} {whyWords.steps(integer(answer.steps))}
      </p>
    </>
  );
}

function Questions({ app, onAsk }: { app: App; onAsk(): void }): JSX.Element {
  const { first } = whySession(app);
  const all: [FirstKind | null, string][] = [
    [null, whyWords.selected],
    ...(Object.entries(whyWords.first) as [FirstKind, string][]),
  ];
  return (
    <fieldset class="why-questions" aria-label={whyWords.asked}>
      {all.map(([kind, title]) => (
        <button
          key={title}
          type="button"
          aria-pressed={first.value === kind}
          onClick={() => {
            onAsk();
            first.value = kind;
          }}
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}

export function WhyView({ app }: { app: App }): JSX.Element {
  const { first } = whySession(app);
  const results = app.state.results.value;
  const answer = useSignal<WhyResult | null>(null);
  const said = useSignal("");
  const busy = useSignal(false);
  const selected = useSignal(-1);
  const turn = useRef(0);
  const since = useRef(0);
  /** What was selected from the chain itself: the chain stays. */
  const own = useRef("");
  const element = selectedElement(app);
  const key = JSON.stringify(first.value ?? element);
  useEffect(() => {
    if (!results || (own.current === key && answer.peek())) return;
    own.current = "";
    const mine = ++turn.current;
    if (busy.peek() && performance.now() - since.current > LONG) engineOf(app).cancel();
    since.current = performance.now();
    const question = first.value ? { first: first.value } : element ? { element } : null;
    answer.value = null;
    selected.value = -1;
    said.value = question ? "" : whyWords.noElement;
    busy.value = question !== null;
    if (!question) return;
    engineOf(app)
      .call("why", [results.text, optionsFor(app, results, question)])
      .then(
        (made) => {
          if (mine !== turn.current) return;
          answer.value = made;
          said.value = made.found?.words ?? made.problem;
        },
        (error: unknown) => {
          if (mine !== turn.current) return;
          const why = error instanceof Error ? error.message : String(error);
          said.value = isAbort(error) ? whyWords.cancelled : whyWords.failed(why);
        },
      )
      .finally(() => {
        if (mine === turn.current) busy.value = false;
      });
  }, [results, key]);
  const rows = answer.value?.rows ?? NO_ROWS;
  useEffect(() => {
    const lines = [...new Set(rows.map(({ line }) => line - 1))].sort((a, b) => a - b);
    app.editor?.mark(results?.text === app.state.text.peek() ? lines : []);
  }, [rows]);
  useEffect(
    () => () => {
      turn.current++;
      if (busy.peek()) engineOf(app).cancel();
      app.editor?.mark([]);
    },
    [],
  );
  if (!results) {
    return (
      <Empty
        sentence={words.why.empty}
        action={words.why.emptyAction}
        onAction={() => void run(app)}
      />
    );
  }
  const select = (i: number): void => {
    const row = rows[i];
    if (!row) return;
    selectRow(app, row, row.range);
    selected.value = i;
    if (first.value === null) own.current = JSON.stringify(selectedElement(app));
  };
  const follow = (source: WhySource): void => {
    batch(() => {
      first.value = null;
      selectRow(app, source);
    });
  };
  return (
    <div class="why-view">
      <Questions
        app={app}
        onAsk={() => {
          own.current = "";
        }}
      />
      {app.state.stale.value && <p class="muted">{whyWords.stale}</p>}
      {busy.value && (
        <p class="why-busy">
          <span>{whyWords.running}</span>
          <button type="button" onClick={() => engineOf(app).cancel()}>
            {whyWords.cancel}
          </button>
        </p>
      )}
      <p class="why-said" role="status">
        {said.value}
      </p>
      {answer.value && rows.length > 0 && (
        <Rows answer={answer.value} selected={selected.value} onSelect={select} onFollow={follow} />
      )}
    </div>
  );
}
