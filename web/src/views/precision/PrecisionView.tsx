/**
 * How far values are from those of a more precise run: the result, what stands out, and a table of
 * instructions, with details of the selected one. The selection is the page's focus.
 */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { PrecisionFinding, PrecisionResult, TextRange } from "../../../../wasm/engine_api";
import { goTo, isInFocus, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { isModest } from "../../app/settings";
import { BeforeRun } from "../../page/BeforeRun";
import { FaultList } from "../../page/FaultList";
import { words } from "../../strings";
import { capitalized } from "../../ui/format";
import { compareRuns, isOutdated, lacks } from "./asking";
import { Details } from "./Details";
import { sorted } from "./figures";
import { Growth } from "./Growth";
import { PrecisionTable } from "./PrecisionTable";
import "./precision.css";
import { Results } from "./Results";
import { type PrecisionOutcome, precisionSession } from "./session";
import { Tools } from "./Tools";
import { precisionWords } from "./words";

interface Place {
  name: string;
  computation: string;
  range: TextRange;
}

function select(app: App, { name, computation, range }: Place): void {
  selectInstruction(app, { name, computation });
  app.editor?.goTo(range, false);
}

function Finding({ app, finding }: { app: App; finding: PrecisionFinding }): JSX.Element {
  const w = precisionWords;
  return (
    <li>
      <span class="muted">{w.findings[finding.kind]}</span>{" "}
      <button
        type="button"
        class="quiet mono"
        onClick={() => {
          select(app, finding);
          goTo(app, finding.range);
        }}
      >
        {finding.shown}
      </button>{" "}
      <span class="muted">
        {w.line(finding.line)}
        {finding.note && `: ${finding.note}`}
      </span>
    </li>
  );
}

function Table({ app, answer }: { app: App; answer: PrecisionResult }): JSX.Element {
  const { order } = precisionSession(app);
  const w = precisionWords;
  const rows = sorted(answer.rows, order.value);
  const selected = rows.find((row) => isInFocus(app.state, row));
  const label = w.rows(answer.count, answer.compared);
  return (
    <>
      <h2>{label}</h2>
      {answer.rows.length < answer.count && <p class="muted">{w.cut(answer.rows.length)}</p>}
      <PrecisionTable
        rows={rows}
        label={label}
        order={order.value}
        isSelected={(row) => isInFocus(app.state, row)}
        onSort={(next) => {
          order.value = next;
        }}
        onSelect={(row) => select(app, row)}
        onOpen={(row) => goTo(app, row.range)}
      />
      {selected && <Details row={selected} />}
    </>
  );
}

function Outcome({ app, outcome }: { app: App; outcome: PrecisionOutcome }): JSX.Element {
  const w = precisionWords;
  const { answer, text } = outcome;
  return (
    <>
      {!answer.ok && <FaultList app={app} text={text} faults={answer.diagnostics} />}
      {!answer.ok && answer.rows.length > 0 && <p class="muted">{w.failed}</p>}
      {answer.findings.length > 0 && (
        <ul class="precision-findings">
          {answer.findings.map((finding) => (
            <Finding
              key={`${finding.kind} ${finding.computation} ${finding.name}`}
              app={app}
              finding={finding}
            />
          ))}
        </ul>
      )}
      {answer.ok && <Results app={app} answer={answer} />}
      {answer.growth.points.length > 1 && <Growth app={app} growth={answer.growth} />}
      {answer.notCompared > 0 && <p class="muted">{w.notCompared(answer.notCompared)}</p>}
      {answer.count > 0 ? (
        <Table app={app} answer={answer} />
      ) : (
        answer.ok &&
        outcome.reference !== "expected" && <p class="muted">{w.nothing(answer.compared)}</p>
      )}
      {outcome.reference.startsWith("f") && <p class="muted assumption">{w.about}</p>}
    </>
  );
}

export function PrecisionView({ app }: { app: App }): JSX.Element {
  const { outcome, running, problem, reference, compared } = precisionSession(app);
  const w = precisionWords;
  const shown = outcome.value;
  const missing = lacks(app);
  const isOfOther = shown !== null && app.state.text.value !== shown.text;
  const isOutdatedNow = shown !== null && isOutdated(app, shown);
  const { check, settings } = app.state;
  const isLinked = compared.value && !shown && !running.value && !missing && check.value !== null;
  useEffect(() => {
    // Once: an attempt that fails is not made again by itself.
    if (!isLinked || !isModest(settings.peek())) return;
    compared.value = false;
    void compareRuns(app);
  }, [isLinked]);
  return (
    <div class="column-view precision-view">
      <Tools app={app} />
      <div role="status">
        {running.value && <p class="muted">{w.running}</p>}
        {problem.value && <p>{problem.value}</p>}
        {missing && <p class="muted">{missing}</p>}
        {isOfOther && <p class="muted">{w.stale}</p>}
        {isOutdatedNow && <p class="stale">{w.outdated(w.references[shown.reference])}</p>}
        {shown?.answer.ok && !running.value && (
          <p class={`precision-summary ${isOutdatedNow ? "is-outdated" : ""}`}>
            {capitalized(shown.answer.summary)}.
          </p>
        )}
      </div>
      {shown ? (
        <div class={`precision-outcome ${isOutdatedNow ? "is-outdated" : ""}`}>
          <Outcome app={app} outcome={shown} />
        </div>
      ) : (
        !running.value &&
        !missing && (
          <BeforeRun
            app={app}
            sentence={words.precision.empty}
            action={reference.value === "f64" ? words.precision.emptyAction : w.compareNow}
            onAction={() => void compareRuns(app)}
          />
        )
      )}
    </div>
  );
}
