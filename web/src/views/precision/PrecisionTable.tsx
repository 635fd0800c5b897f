/** The instructions whose values differ. */
import type { JSX } from "preact";
import type { PrecisionRow } from "../../../../wasm/engine_api";
import { integer } from "../../ui/format";
import { Heading, NumberCells } from "../../ui/Heading";
import { VirtualList } from "../../ui/VirtualList";
import { barOf, errorText, placeText } from "./figures";
import { ORDERS, type Order } from "./session";
import { precisionWords } from "./words";

function Bar({ of }: { of: number | null }): JSX.Element {
  return (
    <span class="precision-bar" aria-hidden="true">
      <span style={{ width: `${100 * barOf(of)}%` }} />
    </span>
  );
}

/** What a row has in the columns of numbers. */
const numbersOf = (row: PrecisionRow): [Order, string][] => [
  ["error", errorText(row.error.norm)],
  ["ulp", errorText(row.error.ulp)],
  ["relative", errorText(row.error.relative)],
  ["grows", row.amplification ? `${errorText(row.amplification)}×` : "–"],
  ["times", integer(row.executions)],
];

function Cells({ row }: { row: PrecisionRow }): JSX.Element {
  const w = precisionWords;
  const { error } = row;
  const place = placeText(error);
  return (
    <>
      <span class="cell precision-name" title={`${row.shape} ${w.line(row.line)}`}>
        {row.shown} <span class="muted">{row.opcode}</span>
      </span>
      <span class="cell precision-introduced">
        <Heading of={w.columns.introduced} />
        <Bar of={row.introduced} /> {errorText(row.introduced)}
      </span>
      <NumberCells class="precision-number" headings={w.columns} numbers={numbersOf(row)} />
      <span class="cell precision-worst">
        <Heading of={w.worst} />
        {error.sameShape ? w.element(place, error.value, error.expected) : w.shapeDiffers}
      </span>
    </>
  );
}

/** The columns by which rows can be sorted, as they stand in the table. */
const COLUMNS = ["order", ...ORDERS.filter((order) => order !== "order")] as const;

export function PrecisionTable(props: {
  rows: readonly PrecisionRow[];
  label: string;
  order: Order;
  isSelected(row: PrecisionRow): boolean;
  onSort(order: Order): void;
  onSelect(row: PrecisionRow): void;
  onOpen(row: PrecisionRow): void;
}): JSX.Element {
  const w = precisionWords;
  const { rows, order } = props;
  const choose = (index: number, then: (row: PrecisionRow) => void): void => {
    const row = rows[index];
    if (row) then(row);
  };
  return (
    <div class="precision-table">
      <fieldset class="precision-columns" aria-label={w.table}>
        {COLUMNS.map((column) => (
          <button
            key={column}
            type="button"
            class={`quiet precision-column ${column}`}
            aria-pressed={order === column}
            title={`${w.columnHints[column]}. ${w.sortBy(w.columns[column])}`}
            onClick={() => props.onSort(column)}
          >
            {w.columns[column]}
            {order === column && <span aria-hidden="true"> ▾</span>}
          </button>
        ))}
        <span class="precision-column precision-worst">{w.worst}</span>
      </fieldset>
      <VirtualList
        id="precision-rows"
        label={props.label}
        class="precision-rows"
        items={rows}
        rowHeight={26}
        selected={rows.findIndex(props.isSelected)}
        onSelect={(index) => choose(index, props.onSelect)}
        onOpen={(index) => choose(index, props.onOpen)}
        row={(row) => <Cells row={row} />}
      />
    </div>
  );
}
