/** All of a value at the step where one is, as the values of a run are shown. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { DebugShown } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { chooseBeside, pageBeside } from "../../app/beside";
import { useAnswer } from "../../ui/answer";
import { Icon } from "../../ui/Icon";
import { debugRun } from "./run";
import { debugSession } from "./session";
import { debugWords } from "./words";

function Detail({ app, shown }: { app: App; shown: DebugShown }): JSX.Element | null {
  const run = debugRun(app);
  const beside = useMemo(() => pageBeside(app, app.engines.debugging), []);
  const { handle } = run;
  const results = useMemo(
    () => chooseBeside(beside, handle, { ...shown, id: shown.step, dropped: false }),
    [shown, handle],
  );
  const View = app.views.find((view) => view.Detail)?.Detail;
  return View ? <View app={beside} results={results} /> : null;
}

export function ShownValue({ app }: { app: App }): JSX.Element | null {
  const run = debugRun(app);
  const { shown, recorded, state, device } = debugSession(app);
  const name = shown.value;
  const position = state.value?.position ?? 0;
  const followed = device.value;
  const answer = useAnswer(`${recorded.value} ${position} ${followed} ${name}`, async () => {
    if (!name) return null;
    const at = await run.ask({ what: "value", watch: name, position, device: followed });
    return run.ask({ what: "show", step: at.step });
  }).value;
  const w = debugWords;
  if (!name) return null;
  return (
    <section class="debug-part debug-shown" aria-label={w.shown(name)}>
      <h3>
        <span>{w.shown(name)}</span>
        <button
          type="button"
          class="quiet"
          aria-label={w.hide}
          title={w.hide}
          onClick={() => {
            shown.value = "";
          }}
        >
          <Icon name="close" />
        </button>
      </h3>
      {answer ? (
        <>
          <p class="mono muted">{answer.line}</p>
          <Detail app={app} shown={answer} />
        </>
      ) : (
        <p class="muted">{w.notYet(name)}</p>
      )}
    </section>
  );
}
