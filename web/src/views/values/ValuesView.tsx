/** Every value of the last run: a list of instructions above, the chosen value below. */
import type { JSX } from "preact";
import { run } from "../../app/actions";
import type { App } from "../../app/app";
import { FaultList } from "../../page/FaultList";
import { Remedies } from "../../page/Remedies";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Splitter } from "../../ui/Splitter";
import { INITIAL_SHARE, valuesSession } from "./session";
import { ValueDetail } from "./ValueDetail";
import { ValueList } from "./ValueList";
import { valueWords } from "./words";

function RunFaults({ app }: { app: App }): JSX.Element | null {
  const last = app.state.runFaults.value;
  const faults = last?.run.ok ? [] : (last?.run.diagnostics ?? []);
  if (faults.length === 0) return null;
  return (
    <FaultList app={app} title={words.run.faults} faults={faults}>
      <Remedies app={app} remedies={last?.run.remedies ?? []} />
    </FaultList>
  );
}

/** What the run had to assume: values that the program does not have. */
function Assumed({ app }: { app: App }): JSX.Element | null {
  const results = app.state.results.value;
  if (!results || app.state.stale.value) return null;
  const { run: last, settings } = results;
  const said = [
    last.filled && valueWords.filled(last.filled.count, settings.fillElided, settings.seed),
    last.madeUp && valueWords.madeUp(last.madeUp.count, last.madeUp.shown),
  ].filter(Boolean);
  return said.length > 0 ? <p class="assumed muted">{said.join(" ")}</p> : null;
}

function Stale({ app }: { app: App }): JSX.Element | null {
  const { stale, phase } = app.state;
  if (!stale.value || phase.value === "running") return null;
  return (
    <div class="stale" role="status">
      <span>{phase.value === "cancelled" ? words.run.staleCancelled : words.run.stale}</span>
      <button type="button" class="quiet" onClick={() => void run(app)}>
        {words.run.runAgain}
      </button>
    </div>
  );
}

export function ValuesView({ app }: { app: App }): JSX.Element {
  const results = app.state.results.value;
  const { share } = valuesSession(app);
  if (!results) {
    return (
      <>
        <RunFaults app={app} />
        <Empty
          sentence={app.state.phase.value === "running" ? words.status.running : words.values.empty}
          action={words.values.emptyAction}
          onAction={() => void run(app)}
        />
      </>
    );
  }
  return (
    <div class={app.state.stale.value ? "values-view is-stale" : "values-view"}>
      <RunFaults app={app} />
      <Stale app={app} />
      <Assumed app={app} />
      <div class="stack" style={{ "--share": `${share.value * 100}%` }}>
        <ValueList app={app} results={results} />
        <Splitter
          stacked
          share={share.value}
          onMove={(moved) => {
            share.value = moved;
          }}
          initial={INITIAL_SHARE}
          min={0.15}
          max={0.8}
          label={valueWords.list}
        />
        <ValueDetail app={app} results={results} />
      </div>
    </div>
  );
}
