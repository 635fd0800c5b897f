/** What a compiled run executed: its parts with their times, slowest first. */
import type { JSX } from "preact";
import type { RunPlan as Plan, PlanEntry } from "../../../../wasm/engine_api";
import { goTo, showViewFor } from "../../app/actions";
import type { App } from "../../app/app";
import type { Results } from "../../app/state";
import { words } from "../../strings";
import { integer, percent, seconds } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { valuesSession } from "./session";
import { valueWords } from "./words";

type How = PlanEntry["how"] | "executor";

interface PlanRow {
  how: How;
  entry: PlanEntry | null;
  times: number;
  seconds: number;
}

/** The parts, slowest first; an island stands before what ran in it. */
export function planRows({ islands, steps, executor }: Plan): PlanRow[] {
  const slowest = (entries: readonly PlanEntry[]): PlanRow[] =>
    entries
      .map((entry) => ({ how: entry.how, entry, times: entry.times, seconds: entry.seconds }))
      .sort((a, b) => b.seconds - a.seconds);
  const others: PlanRow[] = executor
    ? [{ how: "executor", entry: null, times: executor.steps, seconds: executor.seconds }]
    : [];
  return [...slowest(islands), ...others, ...slowest(steps)];
}

function What({ entry }: { entry: PlanEntry }): JSX.Element {
  const w = valueWords.plan;
  const { instructions, shown, opcode, computation, how } = entry;
  if (how === "island" && instructions.count !== 1) {
    return (
      <>
        <code>{computation}</code> <span class="muted">{w.instructions(instructions.count)}</span>
      </>
    );
  }
  return (
    <>
      <code>{shown}</code>{" "}
      <span class="muted">{instructions.count > 1 ? w.loop(instructions.count) : opcode}</span>
    </>
  );
}

function Row({ app, row, all }: { app: App; row: PlanRow; all: number }): JSX.Element {
  const w = valueWords.plan;
  const { entry } = row;
  const share = all > 0 ? Math.min(row.seconds / all, 1) : 0;
  return (
    <tr>
      <th scope="row">
        {entry ? (
          <button
            type="button"
            class="quiet"
            title={entry.instructions.shown.join(", ")}
            onClick={() => goTo(app, entry.range)}
          >
            <What entry={entry} />
          </button>
        ) : (
          w.others
        )}
      </th>
      <td title={w.hints[row.how]}>
        {w.how[row.how]}
        {entry?.ranIn && <span class="muted">{w.ranIn(entry.ranIn)}</span>}
      </td>
      <td class="number">{integer(row.times)}</td>
      <td class="number">{row.seconds === 0 ? w.brief : seconds(row.seconds)}</td>
      <td class="share" aria-hidden="true">
        <meter min={0} max={1} value={share} title={percent(share)} />
      </td>
    </tr>
  );
}

export function RunPlan({ app, results }: { app: App; results: Results }): JSX.Element | null {
  const w = valueWords.plan;
  const { planOpen } = valuesSession(app);
  const plan = results.compiled?.plan;
  const threads = results.compiled?.threads;
  if (!results.compiled || !plan) return null;
  const rows = planRows(plan);
  if (rows.length === 0) return null;
  // Reading the program and making its inputs took the rest.
  const all = plan.islands.reduce((sum, island) => sum + island.seconds, 0);
  const executed = Math.max(all + (plan.executor?.seconds ?? 0), ...rows.map((r) => r.seconds));
  const count = plan.islandCount + plan.stepCount + (plan.executor ? 1 : 0);
  return (
    <details
      class="run-plan"
      open={planOpen.value}
      onToggle={(event) => {
        planOpen.value = event.currentTarget.open;
      }}
    >
      <summary>
        <b>
          {w.summary(seconds(results.compiled.seconds))}
          {threads && words.status.threads(threads)}
        </b>
        : {w.hint}
      </summary>
      {planOpen.value && (
        <>
          <ScrollTable
            class="plan-rows"
            label={w.label}
            columns={[w.columns.what, w.columns.how, w.columns.times, w.columns.time, ""]}
          >
            {rows.map((row, i) => (
              <Row key={i} app={app} row={row} all={executed} />
            ))}
          </ScrollTable>
          <p class="plan-foot">
            {count > rows.length && <span class="muted">{w.more(rows.length, count)}</span>}
            <button type="button" class="quiet" onClick={() => showViewFor(app, "plan")}>
              {w.showPlan}
            </button>
          </p>
        </>
      )}
    </details>
  );
}
