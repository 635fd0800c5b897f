import type { JSX } from "preact";
import type { App } from "../app/app";
import { findCommand, perform } from "../commands/registry";
import { words } from "../strings";
import { bytes, seconds } from "../ui/format";

function runText(app: App): string {
  const { phase, results } = app.state;
  const w = words.status;
  if (phase.value === "running") return w.running;
  if (phase.value === "cancelled") return w.cancelled;
  if (phase.value === "failed") return w.failed;
  const run = results.value?.run;
  return run && phase.value === "done"
    ? w.ran(seconds(run.seconds), run.steps, bytes(run.peakBytes))
    : "";
}

function problems(app: App): { text: string; bad: boolean } | null {
  const check = app.state.check.value;
  if (!check) return null;
  const of = (severity: string): number =>
    check.diagnostics.filter((d) => d.severity === severity).length;
  const [errors, warnings] = [of("error"), of("warning")];
  if (errors + warnings === 0) return { text: words.status.clean, bad: false };
  return { text: words.status.problems(errors, warnings), bad: errors > 0 };
}

export function StatusBar({ app }: { app: App }): JSX.Element {
  const { check, engineProblem, version } = app.state;
  const found = problems(app);
  const next = findCommand("next-fault");
  const kind = check.value?.kind;
  return (
    <footer class="status" data-phase={app.state.phase.value}>
      {engineProblem.value ? (
        <span class="bad" role="alert">
          {words.app.engineProblem(engineProblem.value)}
        </span>
      ) : (
        !check.value && <span>{words.app.loading}</span>
      )}
      {found && (
        <button
          type="button"
          class={found.bad ? "bad" : ""}
          onClick={() => next && perform(app, next)}
        >
          <span class="dot" aria-hidden="true" />
          {found.text}
        </button>
      )}
      {check.value && kind !== "hlo" && kind !== "empty" && kind !== undefined && (
        <span>{words.status.recognised(words.status.kinds[kind] ?? kind)}</span>
      )}
      {check.value && kind === "hlo" && (
        <span class="wide-only">
          {`${words.status.instructions(check.value.instructionCount)}, ${words.status.computations(check.value.computationCount)}`}
        </span>
      )}
      <span role="status">{runText(app)}</span>
      <span class="spring" />
      <span class="wide-only privacy">{words.app.privacy}</span>
      <span class="wide-only">{version.value}</span>
    </footer>
  );
}
