/**
 * How far values are from those of a more precise run: the result, what stands out, and a table of
 * instructions, with details of the selected one. The selection is the page's focus.
 */
import type { JSX } from "preact";
import type { PrecisionFinding, PrecisionResult, TextRange } from "../../../../wasm/engine_api";
import { goTo, isInFocus, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { chooseProgram } from "../../app/choosing";
import { FaultList } from "../../page/FaultList";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { compareRuns } from "./asking";
import { Details } from "./Details";
import { sorted } from "./figures";
import { PrecisionTable } from "./PrecisionTable";
import "./precision.css";
import { type PrecisionOutcome, precisionSession, REFERENCES, type Reference } from "./session";
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

/** Which program is the other one. */
function Other({ app }: { app: App }): JSX.Element {
  const { other } = precisionSession(app);
  const w = precisionWords;
  return (
    <>
      <strong class="precision-other">{other.value?.name ?? w.noOther}</strong>
      <button
        type="button"
        class="quiet"
        onClick={() =>
          chooseProgram(app, (program) => {
            other.value = program;
          })
        }
      >
        <Icon name="file" />
        <span>{w.choose}</span>
      </button>
      <button
        type="button"
        class="quiet"
        title={w.keepHint}
        onClick={() => {
          const text = app.editor?.text() ?? app.state.text.peek();
          other.value = { name: w.earlier, text };
        }}
      >
        <Icon name="pin" />
        <span>{w.keep}</span>
      </button>
    </>
  );
}

function Tools({ app }: { app: App }): JSX.Element {
  const { reference, other, running } = precisionSession(app);
  const w = precisionWords;
  const stop = running.value;
  const lacksOther = reference.value === "other" && !other.value;
  return (
    <div class="detail-tools">
      <label class="precision-reference">
        <span class="muted">{w.reference}</span>{" "}
        <select
          value={reference.value}
          title={w.referenceHint[reference.value]}
          onChange={(event) => {
            reference.value = event.currentTarget.value as Reference;
          }}
        >
          {REFERENCES.map((each) => (
            <option key={each} value={each}>
              {w.references[each]}
            </option>
          ))}
        </select>
      </label>
      {reference.value === "other" && <Other app={app} />}
      {stop ? (
        <button type="button" onClick={() => stop.abort()}>
          {w.stop}
        </button>
      ) : (
        <button
          type="button"
          class="primary"
          disabled={lacksOther}
          onClick={() => void compareRuns(app)}
        >
          {w.run}
        </button>
      )}
    </div>
  );
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
  const summary = answer.summary.charAt(0).toUpperCase() + answer.summary.slice(1);
  return (
    <>
      {!answer.ok && <FaultList app={app} text={text} faults={answer.diagnostics} />}
      {app.state.text.value !== text && <p class="muted">{w.stale}</p>}
      {answer.ok && <p class="precision-summary">{summary}.</p>}
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
      {answer.notCompared > 0 && <p class="muted">{w.notCompared(answer.notCompared)}</p>}
      {answer.count > 0 ? (
        <Table app={app} answer={answer} />
      ) : (
        answer.ok && <p class="muted">{w.nothing(answer.compared)}</p>
      )}
      {outcome.reference !== "other" && <p class="muted assumption">{w.about}</p>}
    </>
  );
}

export function PrecisionView({ app }: { app: App }): JSX.Element {
  const { outcome, running, problem, reference, other } = precisionSession(app);
  const w = precisionWords;
  const shown = outcome.value;
  const lacksOther = reference.value === "other" && !other.value;
  return (
    <div class="column-view precision-view">
      <Tools app={app} />
      <div role="status">
        {running.value && <p class="muted">{w.running}</p>}
        {problem.value && <p>{problem.value}</p>}
        {lacksOther && <p class="muted">{w.chooseFirst}</p>}
      </div>
      {shown ? (
        <Outcome app={app} outcome={shown} />
      ) : (
        !running.value &&
        !lacksOther && (
          <Empty
            sentence={words.precision.empty}
            action={words.precision.emptyAction}
            onAction={() => void compareRuns(app)}
          />
        )
      )}
    </div>
  );
}
