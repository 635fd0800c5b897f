/** The steps of a run around where it stands. */
import type { JSX } from "preact";
import type { DebugState, DebugStep } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { integer } from "../../ui/format";
import { mostLetters, Name } from "../../ui/Name";
import { debugRun } from "./run";
import { debugSession } from "./session";
import { debugWords } from "./words";

/** Steps listed before and after. */
const AROUND = 12;

/** What begins with a name, as in `name = value`: of a long one both ends, so that the rest is seen. */
function Line({ line }: { line: string }): JSX.Element {
  const end = line.search(/:?\s|$/);
  return (
    <>
      <Name name={line.slice(0, end)} most={mostLetters(false)} />
      {line.slice(end)}
    </>
  );
}

export function Steps({ app, state }: { app: App; state: DebugState }): JSX.Element | null {
  const run = debugRun(app);
  const begin = Math.max(0, state.position - AROUND);
  const key = `${debugSession(app).recorded.value} ${begin} ${state.length}`;
  const answer = useAnswer(key, () =>
    run.ask({ what: "steps", position: begin, count: 2 * AROUND }),
  ).value;
  if (!answer) return null;
  const isLast = (step: DebugStep): boolean => step.step === state.position - 1;
  return (
    <section class="debug-part debug-steps" aria-label={debugWords.steps}>
      <h2>{debugWords.steps}</h2>
      <ol>
        {answer.steps.map((step) => (
          <li key={step.step} class={isLast(step) ? "selected" : ""}>
            <span class="number muted">{integer(step.step + 1)}</span>
            <button
              type="button"
              class="quiet mono"
              style={{ paddingLeft: `${Math.min(step.depth, 8)}em` }}
              aria-current={isLast(step) ? "step" : undefined}
              onClick={() => void run.goTo(step.step + 1)}
            >
              <Line line={step.line} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
