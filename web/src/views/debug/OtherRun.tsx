/** A run that is kept, and where this one differs from it. */
import type { JSX } from "preact";
import type { App } from "../../app/app";
import { debugRun } from "./run";
import { debugSession } from "./session";
import { debugWords } from "./words";

export function OtherRun({ app }: { app: App }): JSX.Element {
  const run = debugRun(app);
  const { kept, recorded } = debugSession(app);
  const w = debugWords;
  const isThis = kept.value?.recorded === recorded.value;
  return (
    <section class="debug-part" aria-label={w.other}>
      <h2>{w.other}</h2>
      {kept.value ? (
        <>
          <p class="muted">
            {w.kept(kept.value.length)} {isThis && w.keptIsThis}
          </p>
          <p class="debug-adding">
            {!isThis && (
              <>
                <button type="button" onClick={() => void run.difference(true)}>
                  {w.firstDifference}
                </button>
                <button type="button" onClick={() => void run.difference(false)}>
                  {w.nextDifference}
                </button>
              </>
            )}
            <button type="button" class="quiet" onClick={() => run.forget()}>
              {w.forget}
            </button>
          </p>
        </>
      ) : (
        <>
          <p class="muted">{w.otherHint}</p>
          <p class="debug-adding">
            <button type="button" onClick={() => void run.keep()}>
              {w.keep}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
