import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { chooseValue } from "../../app/actions";
import type { App } from "../../app/app";
import type { Results } from "../../app/state";
import { Filter } from "../../ui/Filter";
import { VirtualList } from "../../ui/VirtualList";
import { rowsOf, type ValueRow } from "./rows";
import { valueWords } from "./words";

function Row({ row }: { row: ValueRow }): JSX.Element {
  const depth = Math.min(row.entry?.depth ?? 0, 8);
  const iterations = row.entry?.iterations ?? [];
  return (
    <>
      <span class="cell name" style={{ paddingLeft: `${depth * 12}px` }}>
        {row.entry ? row.label : <em>{row.label}</em>}
        {iterations.length > 0 && (
          <span class="badge" title={valueWords.iteration(iterations)}>
            {iterations.join(".")}
          </span>
        )}
      </span>
      <span class="cell opcode">{row.opcode}</span>
      <span class="cell shape">{row.value.shape}</span>
      <span class="cell preview">
        {row.entry?.dropped ? <em>{valueWords.dropped}</em> : row.value.preview}
      </span>
    </>
  );
}

/** Outputs and every instruction's value, in order of execution. */
export function ValueList({ app, results }: { app: App; results: Results }): JSX.Element {
  const filter = useSignal("");
  const device = useSignal(0);
  const rows = useComputed(() => {
    const { run } = app.state.results.value ?? results;
    return rowsOf(run, filter.value, device.value);
  });
  const choice = app.state.choice.value;
  const selected = rows.value.findIndex((row) => row.choice.entry === choice?.entry);
  const { trace, traceCount, devices } = results.run;
  // The next run may have fewer devices.
  if (device.value > 0 && device.value >= (devices?.length ?? 1)) device.value = 0;
  return (
    <section class="value-list" aria-label={valueWords.list}>
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
        {traceCount > trace.length && (
          <span class="muted">{valueWords.cut(trace.length, traceCount)}</span>
        )}
      </div>
      <div class="list-head" aria-hidden="true">
        <span class="cell name">{valueWords.columns.name}</span>
        <span class="cell opcode">{valueWords.columns.opcode}</span>
        <span class="cell shape">{valueWords.columns.shape}</span>
        <span class="cell preview">{valueWords.columns.value}</span>
      </div>
      {rows.value.length === 0 ? (
        <p class="empty">{valueWords.noMatch}</p>
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
          row={(row) => <Row row={row} />}
        />
      )}
    </section>
  );
}
