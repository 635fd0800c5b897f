/** What the passes of a compiler make of the program, one after another. */
import type { JSX } from "preact";
import type { PassCounts, PassesResult } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { adoptText } from "../../app/editing";
import { programKey, useAnswer } from "../../ui/answer";
import { bytes, integer } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { ScrollTable } from "../../ui/ScrollTable";
import { Comparison } from "./Comparison";
import { Count } from "./Count";
import { type ComparedPair, compareSession } from "./session";
import { compareWords } from "./words";

/** A row of the table: what was before and after it. */
interface PassRow {
  /** "" for all passes together. */
  name: string;
  title: string;
  /** Null: it is left out. */
  before: PassCounts | null;
  after: PassCounts | null;
  note: string;
  /** The steps whose texts are compared. */
  steps: readonly [number, number];
}

function rowsOf(result: PassesResult, skipped: readonly string[]): PassRow[] {
  const { table, counts, steps } = result;
  let ran = 0;
  const rows = table.map(({ name, title, description }): PassRow => {
    const step = skipped.includes(name) ? undefined : steps[ran];
    if (!step) return { name, title, before: null, after: null, note: description, steps: [0, 0] };
    const before = steps[ran - 1]?.counts ?? counts;
    ran++;
    const note = step.note || compareWords.passes.did(integer(step.changeCount), description);
    return { name, title, before, after: step.counts, note, steps: [ran - 1, ran] };
  });
  const all: PassRow = {
    name: "",
    title: compareWords.passes.all,
    before: counts,
    after: steps.at(-1)?.counts ?? counts,
    note: compareWords.passes.allNote,
    steps: [0, steps.length],
  };
  return [...rows, all];
}

function PassCount(props: {
  row: PassRow;
  of: keyof PassCounts;
  print(n: number): string;
}): JSX.Element {
  const { row, of, print } = props;
  if (!row.before || !row.after) return <td class="number muted">–</td>;
  return <Count was={row.before[of]} now={row.after[of]} print={print} />;
}

function Row({ app, row }: { app: App; row: PassRow }): JSX.Element {
  const { pass, skipped } = compareSession(app);
  const w = compareWords.passes;
  const isShown = pass.value === row.name;
  const toggle = (): void => {
    const was = skipped.value;
    skipped.value = was.includes(row.name)
      ? was.filter((name) => name !== row.name)
      : [...was, row.name];
  };
  return (
    <tr class={isShown ? "is-shown" : ""}>
      <td>
        {row.name && (
          <input
            type="checkbox"
            aria-label={w.run(row.title)}
            checked={!skipped.value.includes(row.name)}
            onChange={toggle}
          />
        )}
      </td>
      <th scope="row">
        <button
          type="button"
          class="quiet"
          aria-pressed={isShown}
          disabled={!row.after}
          onClick={() => {
            pass.value = row.name;
          }}
        >
          {row.title}
        </button>
      </th>
      <PassCount row={row} of="instructions" print={integer} />
      <PassCount row={row} of="fusions" print={integer} />
      <PassCount row={row} of="trafficBytes" print={bytes} />
      <PassCount row={row} of="peakBytes" print={bytes} />
      <td class="muted pass-note">{row.note}</td>
    </tr>
  );
}

/** The text after each of two steps. */
async function textsOf(
  app: App,
  text: string,
  passes: string[],
  row: PassRow,
): Promise<ComparedPair> {
  const at = async (step: number): Promise<string> =>
    (await app.engines.typing.call("passes", [text, { passes, step, count: 0 }])).text;
  const [from, to] = row.steps;
  return {
    before: { name: compareWords.before, text: await at(from) },
    after: { name: compareWords.after, text: await at(to) },
    isProgram: false,
  };
}

export function Passes({ app }: { app: App }): JSX.Element | null {
  const { pass, skipped } = compareSession(app);
  const w = compareWords.passes;
  const text = app.state.text.value;
  const { typing } = app.engines;
  const out = skipped.value;
  const result = useAnswer(`${out.join()} ${programKey(app)}`, async () => {
    const { table } = await typing.call("passes", [text, { passes: [], count: 0 }]);
    const names = table.map(({ name }) => name).filter((name) => !out.includes(name));
    return { names, answer: await typing.call("passes", [text, { passes: names, count: 0 }]) };
  }).value;
  const rows = result?.answer.ok ? rowsOf(result.answer, out) : [];
  const shown = rows.find(({ name, after }) => name === pass.value && after) ?? rows.at(-1);
  const key = shown ? `${shown.steps.join()} ${out.join()} ${programKey(app)}` : "";
  const pair = useAnswer(key, () =>
    shown && result ? textsOf(app, text, result.names, shown) : null,
  ).value;
  if (!result) return null;
  if (!result.answer.ok) return <p class="muted compare-same">{result.answer.why || w.none}</p>;
  return (
    <>
      <ScrollTable class="compare-passes" label={w.title} columns={w.columns}>
        {rows.map((row) => (
          <Row key={row.name} app={app} row={row} />
        ))}
      </ScrollTable>
      <div class="detail-tools">
        <span class="muted assumption">{w.model}</span>
        <span class="spring" />
        {pair && (
          <button
            type="button"
            class="quiet"
            title={w.editHint}
            onClick={() => adoptText(app, pair.after.text)}
          >
            <Icon name="next" />
            <span>{w.edit}</span>
          </button>
        )}
      </div>
      {pair && <Comparison app={app} pair={pair} />}
    </>
  );
}
