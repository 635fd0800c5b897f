/**
 * Where an element of the last run comes from, or what it reaches: elements, each a button that
 * selects it. An engine of its own records the run again, so that cancelling it loses nothing on
 * the screen.
 */
import { batch } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { FirstKind, WhySource } from "../../../../wasm/engine_api";
import { run } from "../../app/actions";
import type { App } from "../../app/app";
import { BeforeRun } from "../../page/BeforeRun";
import { words } from "../../strings";
import { cancelWhy, selectRow } from "../../why/asking";
import { MarksLine } from "../../why/MarksLine";
import { whySession } from "../../why/session";
import { whyWords } from "../../why/words";
import { useWhyAnswer, type WhyAnswer } from "./answer";
import { ChainRows } from "./ChainRows";
import { ReachRows } from "./ReachRows";
import "./why.css";

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

/** The rows of an answer; the selected one is scrolled to. */
function Rows({ app, answer }: { app: App; answer: WhyAnswer }): JSX.Element {
  const { made, selected, select } = answer;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const follow = (source: WhySource): void => {
    batch(() => {
      whySession(app).first.value = null;
      selectRow(app, source);
    });
  };
  return (
    <div ref={list} class="why-answer">
      {made?.reach && (
        <ReachRows
          reach={made.reach}
          steps={made.steps}
          selected={selected}
          onSelect={(row, part, at) => {
            const index = part.boxes[0]?.map(([begin]) => begin) ?? [];
            select({ ...row, path: part.path, index }, at, row.range);
          }}
        />
      )}
      {made && made.rows.length > 0 && (
        <ChainRows
          answer={made}
          selected={selected === "" ? -1 : Number(selected)}
          onSelect={(i) => {
            const row = made.rows[i];
            if (row) select(row, String(i), row.range);
          }}
          onFollow={follow}
        />
      )}
    </div>
  );
}

export function WhyView({ app }: { app: App }): JSX.Element {
  const results = app.state.results.value;
  const answer = useWhyAnswer(app, results);
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
  return (
    <div class="why-view">
      <Questions app={app} onAsk={answer.askAnew} />
      {app.state.stale.value && <p class="muted">{whyWords.stale}</p>}
      {answer.isBusy && (
        <p class="why-busy">
          <span>{whyWords.running}</span>
          <button type="button" onClick={() => cancelWhy(app)}>
            {whyWords.cancel}
          </button>
        </p>
      )}
      <p class="why-said" role="status">
        {answer.said}
      </p>
      <MarksLine app={app} />
      <Rows app={app} answer={answer} />
    </div>
  );
}
