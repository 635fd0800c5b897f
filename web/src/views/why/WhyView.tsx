/**
 * Where an element of the last run comes from, or what it reaches: elements, each a button that
 * selects it. An engine of its own records the run again, so that cancelling it loses nothing on
 * the screen.
 */
import { batch, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FirstKind, WhyResult, WhySource } from "../../../../wasm/engine_api";
import { run } from "../../app/actions";
import type { App } from "../../app/app";
import { isAbort } from "../../app/engine_link";
import { BeforeRun } from "../../page/BeforeRun";
import { words } from "../../strings";
import {
  askWhy,
  cancelWhy,
  elementName,
  indexText,
  selectedElement,
  selectRow,
} from "../../why/asking";
import { MarksLine } from "../../why/MarksLine";
import { mark, marksOf } from "../../why/marks";
import { whySession } from "../../why/session";
import { whyWords } from "../../why/words";
import { ChainRows } from "./ChainRows";
import { ReachRows } from "./ReachRows";
import "./why.css";

/** Milliseconds after which a question that nobody waits for any more is cancelled, not awaited. */
const LONG = 1000;

function Questions({ app, onAsk }: { app: App; onAsk(): void }): JSX.Element {
  const { first, forward } = whySession(app);
  const all: [FirstKind | null, string][] = [
    [null, whyWords.selected],
    ...(Object.entries(whyWords.first) as [FirstKind, string][]),
  ];
  const ways: [boolean, string][] = [
    [false, whyWords.back],
    [true, whyWords.forward],
  ];
  return (
    <>
      <fieldset class="segments why-ways" aria-label={whyWords.direction}>
        {ways.map(([way, title]) => (
          <button
            key={title}
            type="button"
            aria-pressed={forward.value === way}
            onClick={() => {
              onAsk();
              forward.value = way;
            }}
          >
            {title}
          </button>
        ))}
      </fieldset>
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
    </>
  );
}

/** What the marks of an answer are called. */
function titleOf({ rows, reach }: WhyResult): string {
  const row = rows[0];
  const [reached] = reach?.rows ?? [];
  const part = reached?.parts[0];
  if (reached && part) {
    const inside = part.of > 1 ? part.elements : "";
    return whyWords.titleForward(elementName(reached.shown, part.path, inside));
  }
  return row ? whyWords.titleBack(elementName(row.shown, row.path, indexText(row.index))) : "";
}

export function WhyView({ app }: { app: App }): JSX.Element {
  const { first, forward, toOrigin } = whySession(app);
  const results = app.state.results.value;
  const answer = useSignal<WhyResult | null>(null);
  const said = useSignal("");
  const busy = useSignal(false);
  const selected = useSignal("");
  const turn = useRef(0);
  const since = useRef(0);
  const list = useRef<HTMLDivElement>(null);
  /** What was selected from the answer itself: it stays. */
  const own = useRef("");
  const element = selectedElement(app);
  const keyOf = (): string =>
    JSON.stringify([forward.peek(), first.peek() ?? selectedElement(app)]);
  const key = JSON.stringify([forward.value, first.value ?? element]);
  const select = (at: Parameters<typeof selectRow>[1], row: string, range?: [number, number]) => {
    selectRow(app, at, range);
    selected.value = row;
    if (first.peek() === null) own.current = keyOf();
  };
  useEffect(() => {
    if (!results || (own.current === key && answer.peek())) return;
    own.current = "";
    const mine = ++turn.current;
    if (busy.peek() && performance.now() - since.current > LONG) cancelWhy(app);
    since.current = performance.now();
    const asked = first.value ? { first: first.value } : element ? { element } : null;
    answer.value = null;
    selected.value = "";
    said.value = asked ? "" : whyWords.noElement;
    busy.value = asked !== null;
    if (!asked) return;
    askWhy(app, results, { ...asked, reach: forward.value })
      .then(
        (made) => {
          if (mine !== turn.current) return;
          answer.value = made;
          said.value = made.found?.words ?? made.problem;
          mark(app, marksOf(made, results, titleOf(made)));
          const last = made.rows.at(-1);
          if (toOrigin.peek() && last) select(last, String(made.rows.length - 1), last.range);
          toOrigin.value = false;
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
  // Asked for again while the answer is there.
  useEffect(() => {
    const rows = answer.peek()?.rows ?? [];
    const last = rows.at(-1);
    if (!toOrigin.value || !last) return;
    select(last, String(rows.length - 1), last.range);
    toOrigin.value = false;
  }, [toOrigin.value]);
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selected.value]);
  useEffect(
    () => () => {
      turn.current++;
      if (busy.peek()) cancelWhy(app);
    },
    [],
  );
  if (!results) {
    return (
      <BeforeRun
        app={app}
        sentence={words.why.empty}
        action={words.why.emptyAction}
        onAction={() => void run(app)}
      />
    );
  }
  const follow = (source: WhySource): void => {
    batch(() => {
      first.value = null;
      selectRow(app, source);
    });
  };
  const made = answer.value;
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
          <button type="button" onClick={() => cancelWhy(app)}>
            {whyWords.cancel}
          </button>
        </p>
      )}
      <p class="why-said" role="status">
        {said.value}
      </p>
      <MarksLine app={app} />
      <div ref={list} class="why-answer">
        {made?.reach && (
          <ReachRows
            reach={made.reach}
            steps={made.steps}
            selected={selected.value}
            onSelect={(row, part, at) => {
              const index = part.boxes[0]?.map(([begin]) => begin) ?? [];
              select({ ...row, path: part.path, index }, at, row.range);
            }}
          />
        )}
        {made && made.rows.length > 0 && (
          <ChainRows
            answer={made}
            selected={selected.value === "" ? -1 : Number(selected.value)}
            onSelect={(i) => {
              const row = made.rows[i];
              if (row) select(row, String(i), row.range);
            }}
            onFollow={follow}
          />
        )}
      </div>
    </div>
  );
}
