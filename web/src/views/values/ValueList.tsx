import { type ReadonlySignal, useComputed } from "@preact/signals";
import type { JSX } from "preact";
import type { NonFiniteEntry } from "../../../../wasm/engine_api";
import { chooseValue } from "../../app/actions";
import type { App } from "../../app/app";
import type { Results } from "../../app/state";
import { useAnswer } from "../../ui/answer";
import { Filter, NoMatch } from "../../ui/Filter";
import { lettersStyle, mostLetters, Name } from "../../ui/Name";
import { VirtualList } from "../../ui/VirtualList";
import { LoopBars } from "./LoopBars";
import { cutText, filterRows, rowsOf, type ValueRow } from "./rows";
import { valuesSession } from "./session";
import { valueWords } from "./words";

/** What is to be known of a value before one looks at it: no numbers in it, a check that fails. */
function Marks(props: { row: ValueRow; bad: NonFiniteEntry | undefined }): JSX.Element {
  const { row, bad } = props;
  const holds = row.entry?.holds;
  return (
    <>
      {bad?.[1] === 1 && <span class="badge bad">{valueWords.stats.nans}</span>}
      {bad?.[2] === 1 && <span class="badge warn">{valueWords.inf}</span>}
      {holds !== undefined && (
        <span class={holds ? "badge good" : "badge bad"}>
          {holds ? valueWords.holds : valueWords.fails}
        </span>
      )}
    </>
  );
}

const depthOf = (row: ValueRow): number => Math.min(row.entry?.depth ?? 0, 8);

interface RowProps {
  row: ValueRow;
  bad: NonFiniteEntry | undefined;
  most: number;
}

function Row(props: RowProps): JSX.Element {
  const { row } = props;
  return (
    <>
      <span class="cell name" style={{ paddingLeft: `${depthOf(row) * 12}px` }}>
        {row.entry ? <Name name={row.label} most={props.most} /> : <em>{row.label}</em>}
        <Marks {...props} />
      </span>
      <span class="cell opcode">{row.opcode}</span>
      <span class="cell shape">{row.value.shape}</span>
      <span class="cell preview">
        {row.entry?.dropped ? <em>{valueWords.dropped}</em> : row.value.preview}
      </span>
    </>
  );
}

/** The rows that there are, and which of them are shown. */
interface ListedRows {
  all: ReadonlySignal<ReturnType<typeof rowsOf>>;
  rows: ReadonlySignal<ValueRow[]>;
  /** How wide names are, so that all of them fit. */
  style: ReadonlySignal<ReturnType<typeof lettersStyle>>;
}

function useRows(app: App, results: Results): ListedRows {
  const { filter, iterations, device } = valuesSession(app);
  // An element that is pointed at changes nothing of the list.
  const focus = useComputed(() => app.state.chosen.value?.entry ?? null);
  const all = useComputed(() => {
    const { run } = app.state.results.value ?? results;
    const shown = { device: device.value, iterations: iterations.value, focus: focus.value };
    return rowsOf(run, shown);
  });
  const rows = useComputed(() => filterRows(all.value.rows, filter.value));
  // Steps in have two letters each.
  const style = useComputed(() => {
    const limit = mostLetters(app.state.narrow.value);
    return lettersStyle(
      all.value.rows.map((row) => Math.min(limit, row.label.length) + 2 * depthOf(row)),
    );
  });
  return { all, rows, style };
}

/** Above the list: the filter, the device of several, and whether the trace is cut. */
function ListTools({ app, results }: { app: App; results: Results }): JSX.Element {
  const { filter, device } = valuesSession(app);
  const { devices } = results.run;
  const cut = cutText(results.run);
  return (
    <div class="list-tools">
      <Filter label={valueWords.filter} text={filter} />
      {devices && (
        <select
          aria-label={valueWords.device}
          value={device.value}
          onChange={(event) => {
            device.value = Number(event.currentTarget.value);
          }}
        >
          {devices.map((d) => (
            <option key={d.device} value={d.device}>
              {valueWords.deviceName(d.device, d.replica, d.partition)}
            </option>
          ))}
        </select>
      )}
      {cut && <span class="muted">{cut}</span>}
    </div>
  );
}

/** Outputs and every instruction's value, in order of execution. */
export function ValueList({ app, results }: { app: App; results: Results }): JSX.Element {
  const { filter, device } = valuesSession(app);
  const { all, rows, style } = useRows(app, results);
  const most = mostLetters(app.state.narrow.value);
  const { handle, devices } = results.run;
  const found = useAnswer(String(handle), () =>
    app.engines.results.call("nonFinite", [{ handle }]),
  );
  const bad = useComputed(() => new Map(found.value?.map((entry) => [entry[0], entry])));
  const choice = app.state.choice.value;
  const selected = rows.value.findIndex((row) => row.choice.entry === choice?.entry);
  // The next run may have fewer devices.
  if (device.value > 0 && device.value >= (devices?.length ?? 1)) device.value = 0;
  return (
    <section class="value-list" aria-label={valueWords.list} style={style.value}>
      <ListTools app={app} results={results} />
      <LoopBars app={app} loops={all.value.loops} />
      <div class="list-head" aria-hidden="true">
        <span class="cell name">{valueWords.columns.name}</span>
        <span class="cell opcode">{valueWords.columns.opcode}</span>
        <span class="cell shape">{valueWords.columns.shape}</span>
        <span class="cell preview">{valueWords.columns.value}</span>
      </div>
      {rows.value.length === 0 ? (
        <NoMatch text={filter} sentence={valueWords.noMatch} />
      ) : (
        <VirtualList
          id="value-list"
          label={valueWords.list}
          items={rows.value}
          rowHeight={26}
          selected={selected}
          onSelect={(index) => {
            const row = rows.value[index];
            if (row) chooseValue(app, row.choice, row.entry);
          }}
          row={(row) => <Row row={row} bad={bad.value.get(row.choice.entry)} most={most} />}
        />
      )}
    </section>
  );
}
