/** Replicas by partitions: what each device holds, where it stands, whom it waits for. */
import { useSignal } from "@preact/signals";
import type { JSX, TargetedKeyboardEvent } from "preact";
import type { DeviceState, DevicesResult } from "../../../../wasm/engine_api";
import { selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { bytes } from "../../ui/format";
import { hueOf } from "./exchanges";
import { deviceWords as w } from "./words";

/** Devices of a line in a row. */
const BROKEN_AT = 4;

interface GridProps {
  app: App;
  answer: Pick<DevicesResult, "replicas" | "partitions">;
  states: readonly DeviceState[];
  members: readonly number[];
  title: string;
  /** The device whose values are listed. */
  chosen: number;
  onChoose(device: number): void;
}

function CellText({ state, isMember }: { state: DeviceState; isMember: boolean }): JSX.Element {
  const { device, at, values, waits } = state;
  return (
    <>
      <strong class={isMember ? `device-number hue-${hueOf(device)}-mark` : "device-number"}>
        {w.device(device)}
      </strong>
      <span class="mono">{at ? w.at(at.opcode, at.shown) : w.ended}</span>
      <span>
        {w.holds(values, bytes(state.bytes))}
        {waits && w.given}
      </span>
      {waits && <span class="device-waits">{w.waitsFor(waits.missing)}</span>}
    </>
  );
}

/** The device that an arrow key leads to. */
function stepOf(key: string, partitions: number): number {
  if (key === "ArrowRight") return 1;
  if (key === "ArrowLeft") return -1;
  if (key === "ArrowDown") return partitions;
  return key === "ArrowUp" ? -partitions : 0;
}

/** How devices are laid out: by replica and partition, or a line of many broken into several. */
interface Shape {
  isLine: boolean;
  rows: number;
  columns: number;
}

function shapeOf({ answer, states }: GridProps): Shape {
  const { replicas, partitions } = answer;
  const isLine = Math.min(partitions, replicas) === 1 && states.length > 2 * BROKEN_AT;
  const columns = isLine ? BROKEN_AT : Math.min(partitions, states.length);
  return { isLine, rows: Math.ceil(states.length / columns), columns };
}

/** What is written before a row of so many devices in all. */
function rowName({ isLine, columns }: Shape, row: number, count: number): string {
  if (!isLine) return w.replica(row);
  return w.devices(row * columns, Math.min(count, (row + 1) * columns) - 1);
}

/** The names of the columns, where they are partitions. */
function Head({ isLine, columns }: Shape): JSX.Element {
  return (
    <thead>
      <tr>
        <td />
        {!isLine &&
          Array.from({ length: columns }, (_, p) => (
            <th key={w.partition(p)} scope="col">
              {w.partition(p)}
            </th>
          ))}
      </tr>
    </thead>
  );
}

/** The grid; arrow keys move in it, and it is one stop of the Tab key. */
export function DeviceGrid(props: GridProps): JSX.Element | null {
  const { app, answer, states, members, title, chosen, onChoose } = props;
  const current = useSignal(0);
  if (states.length === 0) return null;
  const shape = shapeOf(props);
  const { rows, columns } = shape;
  const all = answer.replicas * answer.partitions;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTableElement>): void => {
    const step = stepOf(event.key, columns);
    const to = current.value + step;
    if (step === 0 || to < 0 || to >= states.length) return;
    event.preventDefault();
    current.value = to;
    event.currentTarget.querySelectorAll("button")[to]?.focus();
  };
  const goTo = ({ device, at }: DeviceState): void => {
    current.value = device;
    onChoose(device);
    if (!at) return;
    selectInstruction(app, at);
    app.editor?.goTo(at.range, false);
  };
  const cell = (state: DeviceState): JSX.Element => (
    <td key={state.device}>
      <button
        type="button"
        class="device-cell"
        aria-pressed={state.device === chosen}
        tabIndex={state.device === current.value ? 0 : -1}
        onClick={() => goTo(state)}
      >
        <CellText state={state} isMember={members.includes(state.device)} />
      </button>
    </td>
  );
  return (
    <div class="device-grid">
      <table onKeyDown={onKeyDown}>
        <caption>
          {title} <span class="muted">{w.gridHelp}</span>
        </caption>
        <Head {...shape} />
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={rowName(shape, row, states.length)}>
              <th scope="row">{rowName(shape, row, states.length)}</th>
              {states.slice(row * columns, (row + 1) * columns).map(cell)}
            </tr>
          ))}
        </tbody>
      </table>
      {states.length < all && <p class="muted">{w.more(states.length, all)}</p>}
    </div>
  );
}
