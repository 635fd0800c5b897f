/** Every value of the last run: a list of instructions above, the chosen value below. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ValueInfo } from "../../../../wasm/engine_api";
import { chooseValue, run } from "../../app/actions";
import type { App } from "../../app/app";
import { failureText, runFaultsOf } from "../../app/belonging";
import { BeforeRun } from "../../page/BeforeRun";
import { FaultList } from "../../page/FaultList";
import { Remedies } from "../../page/Remedies";
import { words } from "../../strings";
import { Splitter } from "../../ui/Splitter";
import { RunPlan } from "./RunPlan";
import { INITIAL_SHARE, valuesSession } from "./session";
import { ValueDetail } from "./ValueDetail";
import { ValueList } from "./ValueList";
import { valueWords } from "./words";
import "./values.css";

function RunFaults({ app }: { app: App }): JSX.Element | null {
  const faults = runFaultsOf(app.state);
  if (faults.length === 0) return null;
  const text = app.state.text.value;
  const remedies = app.state.runFaults.value?.run.remedies ?? [];
  return (
    <FaultList app={app} text={text} title={failureText(app.state)} faults={faults}>
      <Remedies app={app} remedies={remedies} />
    </FaultList>
  );
}

const TICK_MS = 100;

/** How long the run takes, while it does. */
function Running({ app }: { app: App }): JSX.Element | null {
  const { phase, runPart, startedAt } = app.state;
  const now = useSignal(performance.now());
  const running = phase.value === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [running]);
  if (!running) return null;
  const time = Math.max(0, now.value - startedAt.value) / 1000;
  const say = runPart.value === "recording" ? valueWords.recording : valueWords.running;
  return <div class="running">{say(`${time.toFixed(1)} s`)}</div>;
}

/** The result, also while another value is looked at. */
function Result({ app, output }: { app: App; output: ValueInfo | null }): JSX.Element | null {
  if (!output) return null;
  return (
    <button
      type="button"
      class="result-line"
      onClick={() => chooseValue(app, { entry: "output", path: [] }, null)}
    >
      <b>{valueWords.result}</b>
      <code>{output.shape}</code>
      <span class="preview">{output.preview}</span>
    </button>
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
      <span>{phase.value === "cancelled" ? valueWords.staleCancelled : words.run.stale}</span>
      <button type="button" class="quiet" onClick={() => void run(app)}>
        {valueWords.runAgain}
      </button>
    </div>
  );
}

export function ValuesView({ app }: { app: App }): JSX.Element {
  const results = app.state.results.value;
  const { share } = valuesSession(app);
  if (!results) {
    return (
      <div class="values-view">
        <RunFaults app={app} />
        <Running app={app} />
        {app.state.phase.value !== "running" && runFaultsOf(app.state).length === 0 && (
          <BeforeRun
            app={app}
            sentence={words.values.empty}
            action={words.values.emptyAction}
            onAction={() => void run(app)}
          />
        )}
      </div>
    );
  }
  return (
    <div class={app.state.stale.value ? "values-view is-stale" : "values-view"}>
      <RunFaults app={app} />
      <Running app={app} />
      <Stale app={app} />
      <Assumed app={app} />
      <Result app={app} output={results.run.output} />
      <RunPlan app={app} results={results} />
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
