/** The instructions and what they cost: a list of any length, of which what is seen was asked for. */
import { useSignal } from "@preact/signals";
import { Fragment, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CostRow } from "../../../../wasm/engine_api";
import { percent } from "../../ui/format";
import { Heading, NumberCells } from "../../ui/Heading";
import { Name } from "../../ui/Name";
import { duration, scaled, withUnit } from "../../ui/scaled";
import { VirtualList } from "../../ui/VirtualList";
import { COLUMNS, type Sorting } from "./session";
import { costWords } from "./words";

type Column = (typeof COLUMNS)[number];

/** Of a longer name both ends are shown. */
const MOST_LETTERS = 26;

/** So many rows come at a time. */
const WINDOW = 200;

/** So small a share is not told exactly: its digits would not fit. */
const shareOf = (share: number): string => (share > 0 && share < 0.001 ? "<0.1 %" : percent(share));

/** Three digits, in as few letters as the column has room for. */
const intensityOf = (n: number): string =>
  n > 0 && n < 0.01 ? n.toExponential(1) : String(Number(n.toPrecision(3)));

/** What a row has in the columns of numbers. */
const numbersOf = (row: CostRow): [Column, string | number][] => [
  ["flops", scaled(row.flops)],
  ["transcendentals", scaled(row.transcendentals)],
  ["read", withUnit(row.read, "B")],
  ["written", withUnit(row.written, "B")],
  ["padding", withUnit(row.padding, "B")],
  ["intensity", intensityOf(row.intensity)],
  ["times", scaled(row.times)],
];

function Cells({ row }: { row: CostRow }): JSX.Element {
  const w = costWords;
  return (
    <>
      <span
        class="cell cost-name"
        title={[`${row.shown} ${row.opcode}`, row.note].filter(Boolean).join("\n")}
      >
        <Name name={row.shown} most={MOST_LETTERS} /> <span class="muted">{row.opcode}</span>
      </span>
      <span class="cell cost-time" title={row.bound === "parts" ? w.partsHelp : undefined}>
        <Heading of={w.columns.time} />
        {duration(row.seconds)} <span class="muted">{shareOf(row.share)}</span>
      </span>
      <span class={`cell cost-bound ${row.bound}`}>
        <Heading of={w.boundColumn} />
        {w.bound[row.bound]}
      </span>
      <NumberCells class="cost-number" headings={w.columns} numbers={numbersOf(row)} />
    </>
  );
}

export function CostTable(props: {
  /** Changes with whatever the rows depend on. */
  about: string;
  count: number;
  sorting: Sorting;
  selected: number;
  staysAtTop: boolean;
  ask(begin: number, count: number): Promise<readonly CostRow[]>;
  onSort(sorting: Sorting): void;
  onSelect(row: CostRow): void;
  onOpen(row: CostRow): void;
}): JSX.Element {
  const { about, count, sorting } = props;
  const w = costWords;
  const rows = useSignal<readonly (CostRow | null)[]>([]);
  /** What is under way or there, by window, of the list that is asked for. */
  const asked = useRef({ about: "", windows: new Set<number>() });
  const need = (index: number): void => {
    const window = Math.floor(index / WINDOW);
    const { windows } = asked.current;
    if (windows.has(window) || index < 0 || index >= count) return;
    windows.add(window);
    const begin = window * WINDOW;
    props.ask(begin, WINDOW).then(
      (found) => {
        if (asked.current.about !== about) return;
        const next = rows.value.slice();
        found.forEach((row, i) => {
          if (begin + i < next.length) next[begin + i] = row;
        });
        rows.value = next;
      },
      () => windows.delete(window),
    );
  };
  useEffect(() => {
    asked.current = { about, windows: new Set() };
    rows.value = Array.from({ length: count }, () => null);
    need(0);
  }, [about, count]);
  const choose = (index: number, then: (row: CostRow) => void): void => {
    const row = rows.value[index];
    if (row) then(row);
    else need(index);
  };
  return (
    <div class="cost-table">
      <fieldset class="cost-columns" aria-label={w.table}>
        {COLUMNS.map((column) => (
          <Fragment key={column}>
            <button
              type="button"
              class={`quiet cost-column ${column}`}
              aria-pressed={sorting.by === column}
              title={w.sortBy(w.columns[column])}
              onClick={() =>
                props.onSort({
                  by: column,
                  ascending: sorting.by === column && !sorting.ascending,
                })
              }
            >
              {w.columns[column]}
              {sorting.by === column && (
                <span aria-hidden="true">{sorting.ascending ? " ▴" : " ▾"}</span>
              )}
            </button>
            {column === "time" && <span class="cost-bound">{w.boundColumn}</span>}
          </Fragment>
        ))}
      </fieldset>
      <VirtualList
        id="cost-rows"
        label={w.rows(count)}
        class="cost-rows"
        items={rows.value}
        rowHeight={26}
        staysAtTop={props.staysAtTop}
        selected={props.selected}
        onSelect={(index) => choose(index, props.onSelect)}
        onOpen={(index) => choose(index, props.onOpen)}
        row={(row, index) => {
          if (row) return <Cells row={row} />;
          queueMicrotask(() => need(index));
          return <span class="cell muted">{w.loading}</span>;
        }}
      />
    </div>
  );
}
