import type { JSX } from "preact";
import { openOverlay, showPart, showViewFor } from "../app/actions";
import type { App } from "../app/app";
import { failureText, faultsOf, isOfInput } from "../app/belonging";
import { words } from "../strings";
import { bytes, seconds } from "../ui/format";
import { lazy } from "../ui/lazy";

const ResultFaults = lazy(async () => (await import("../why/ResultFaults")).ResultFaults);

function runText(app: App): string {
  const { phase, results, runFaults, runPart, stale, text } = app.state;
  const w = words.status;
  if (phase.value === "running") return w[runPart.value];
  if (phase.value === "cancelled") return results.value ? w.cancelled : w.nothingKept;
  // Of a text that was changed since, the fault may be gone.
  const last = runFaults.value;
  if (phase.value === "failed")
    return last && last.text !== text.value ? "" : failureText(app.state);
  const run = results.value?.run;
  if (!run || phase.value !== "done") return "";
  const compiled = results.value?.compiled;
  // What it takes is that of the run for its own sake.
  const measured = compiled ?? run;
  const { seconds: time, steps, peakBytes, threads } = measured;
  const all = w.ran(seconds(time), steps, bytes(peakBytes), threads ? w.threads(threads) : "");
  const ran = compiled === run ? w.ranOnly(all) : all;
  return stale.value ? w.before(ran) : ran;
}

function problems(app: App): { text: string; bad: boolean } | null {
  const check = app.state.check.value;
  if (!check) return null;
  const faulty = app.state.faultyInputs.value;
  // Those of inputs that are counted beside these are not counted twice.
  const faults = faultsOf(app.state).filter((d) => !faulty.some((at) => isOfInput(d, at)));
  const of = (severity: string): number => faults.filter((d) => d.severity === severity).length;
  const [errors, warnings] = [of("error"), of("warning")];
  if (errors + warnings === 0)
    return faulty.length > 0 ? null : { text: words.status.clean, bad: false };
  return { text: words.status.problems(errors, warnings), bad: errors > 0 };
}

/** How many inputs are not understood, and a way to the first of them. */
function FaultyInputs({ app }: { app: App }): JSX.Element | null {
  const faulty = app.state.faultyInputs.value;
  if (faulty.length === 0) return null;
  const goToFirst = (): void => {
    showPart(app, "inputs");
    // On a narrow screen its part has to be shown first.
    requestAnimationFrame(() => {
      const field = `[data-parameter="${faulty[0]}"] .input-spec > input`;
      document.querySelector<HTMLElement>(field)?.focus();
    });
  };
  return (
    <button type="button" class="bad" onClick={goToFirst}>
      <span class="dot" aria-hidden="true" />
      {words.status.faultyInputs(faulty.length)}
    </button>
  );
}

/** The status of saving; nothing if all is well. */
function keepingText(app: App): { text: string; bad: boolean } | null {
  const { address, problem, store } = app.state.keeping.value;
  const w = words.keeping;
  if (problem) return { text: w.failed(problem), bad: true };
  if (address) return store === "browser" ? null : { text: w.noStore, bad: false };
  const text = { browser: w.inBrowser, tab: w.inTab, page: w.onPage }[store];
  return { text, bad: store !== "browser" };
}

export function StatusBar({ app }: { app: App }): JSX.Element {
  const { check, checking, engineProblem, results, version } = app.state;
  // Results for an earlier text are not shown for this one.
  const current = engineProblem.value === "" && !checking.value;
  const found = current ? problems(app) : null;
  const kept = keepingText(app);
  const kind = check.value?.kind;
  return (
    <footer class="status" data-phase={app.state.phase.value}>
      {engineProblem.value ? (
        <span class="bad" role="alert">
          {words.app.engineProblem(engineProblem.value)}
        </span>
      ) : (
        // An example may have run before its check is known.
        !check.value && !results.value && <span>{words.app.loading}</span>
      )}
      {checking.value && check.value && <span>{words.status.checking}</span>}
      {found && (
        <button
          type="button"
          class={found.bad ? "bad" : ""}
          onClick={() => openOverlay(app, "problems")}
        >
          <span class="dot" aria-hidden="true" />
          {found.text}
        </button>
      )}
      {current && <FaultyInputs app={app} />}
      {current && check.value && kind !== "hlo" && kind !== "empty" && kind !== undefined && (
        <span>{words.status.recognised(words.status.kinds[kind] ?? kind)}</span>
      )}
      {current && check.value && kind === "hlo" && (
        <span class="wide-only">
          {`${words.status.instructions(check.value.instructionCount)}, ${words.status.computations(check.value.computationCount)}`}
        </span>
      )}
      <span role="status" title={app.state.phase.value === "done" ? words.status.measured : ""}>
        {app.state.phase.value === "failed" ? (
          <button type="button" class="bad" onClick={() => showViewFor(app, "run")}>
            {runText(app)}
          </button>
        ) : (
          runText(app)
        )}
      </span>
      {app.state.phase.value === "done" && <ResultFaults app={app} />}
      {kept && (
        <span class={kept.bad ? "keeping bad" : "keeping"} aria-live="polite" title={kept.text}>
          {kept.text}
        </span>
      )}
      <span class="spring" />
      <span class="wide-only privacy">{words.app.privacy}</span>
      <span class="wide-only">{version.value}</span>
    </footer>
  );
}
