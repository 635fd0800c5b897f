/** One exchange: what goes in, whose data goes where, what comes out. */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { DeviceExchange } from "../../../../wasm/engine_api";
import { ArrowHead } from "../../ui/ArrowHead";
import { Icon } from "../../ui/Icon";
import { ScrollTable } from "../../ui/ScrollTable";
import {
  exchangePicture,
  hueOf,
  isDrawable,
  type Line,
  MOST_DRAWN,
  type Piece,
  ROWS,
  shownTarget,
  usualRow,
  WIDTH,
} from "./exchanges";
import { deviceList } from "./tiles";
import { deviceWords as w } from "./words";

const MOST_LISTED = 64;
/** Devices whose numbers stand in a box. */
const MOST_NAMED = 16;

interface PieceProps {
  piece: Piece;
  height: number;
  combines: boolean;
}

function PieceBox({ piece, height, combines }: PieceProps): JSX.Element {
  const { x, y, width, from, rows } = piece;
  const most = Math.max(1, Math.floor(width / 22) - (combines && from.length > 1 ? 3 : 0));
  const label = from.length > MOST_NAMED ? w.many(from.length) : deviceList(from, most);
  const named = deviceList(from, MOST_LISTED);
  const hues = from.slice(0, 8);
  return (
    <g>
      <title>
        {from.length > 1 && combines ? w.combined(named) : named}
        {rows && w.rows(rows)}
      </title>
      <rect x={x} y={y} width={width} height={height} class="exchange-empty" />
      {hues.map((device, i) => (
        <rect
          key={device}
          x={x + (i * width) / hues.length}
          y={y}
          width={width / hues.length}
          height={height}
          class={`hue-${hueOf(device)}`}
        />
      ))}
      <rect x={x} y={y} width={width} height={height} class="shard-edge" />
      {width >= 14 && height >= 12 && from.length > 0 && (
        <text x={x + width / 2} y={y + height / 2} class="shard-number">
          {from.length > 1 && combines && width > 90 ? w.combined(label) : label}
        </text>
      )}
    </g>
  );
}

function Arrow({ line }: { line: Line }): JSX.Element {
  return (
    <path
      d={line.path}
      class={`exchange-line hue-${hueOf(line.from)}-line`}
      marker-end="url(#exchange-head)"
    >
      <title>{`${line.from} → ${line.to}`}</title>
    </path>
  );
}

interface PictureProps {
  exchange: DeviceExchange;
  to: number | null;
  row: number;
}

function Picture({ exchange, to, row }: PictureProps): JSX.Element {
  const picture = exchangePicture(exchange, to, row);
  const { height } = picture.box;
  const { combines, opcode } = exchange;
  return (
    <svg
      class="exchange"
      viewBox={`0 0 ${WIDTH} ${picture.height}`}
      role="img"
      aria-label={w.flows(opcode)}
    >
      <ArrowHead id="exchange-head" size={7} />
      <text x={1} y={14} class="exchange-title">
        {w.gives}
      </text>
      <text x={WIDTH - picture.box.width} y={14} class="exchange-title">
        {w.gets}
      </text>
      {picture.lines.map((line) => (
        <Arrow key={line.path} line={line} />
      ))}
      {picture.given.map((piece) => (
        <PieceBox
          key={`${piece.x} ${piece.y} ${piece.width}`}
          piece={piece}
          height={height}
          combines={false}
        />
      ))}
      {picture.got.map((piece) => (
        <PieceBox
          key={`${piece.x} ${piece.y} ${piece.width}`}
          piece={piece}
          height={height}
          combines={combines}
        />
      ))}
    </svg>
  );
}

/** The height of a member's row: many are scrolled through. */
function RowZoom({ row, onZoom }: { row: number; onZoom(row: number): void }): JSX.Element {
  const at = ROWS.indexOf(row);
  const button = (icon: "plus" | "minus", label: string, to: number): JSX.Element => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      title={label}
      disabled={ROWS[to] === undefined}
      onClick={() => onZoom(ROWS[to] ?? row)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <span class="exchange-zoom">
      {button("minus", w.smaller, at - 1)}
      {button("plus", w.larger, at + 1)}
    </span>
  );
}

interface ExchangeProps {
  exchange: DeviceExchange;
  to: Signal<number | "all" | null>;
}

export function Exchange({ exchange, to: wanted }: ExchangeProps): JSX.Element {
  const { members, parts, opcode, shape, shown } = exchange;
  const drawable = isDrawable(exchange);
  const to = shownTarget(exchange, wanted.value);
  const row = useSignal(usualRow(members.length));
  const drawn = Math.min(MOST_DRAWN, members.length);
  return (
    <>
      <p class="shard-words">
        <span class="mono">{`${shown} = ${shape} ${opcode}`}</span>
        <br />
        {w.does[opcode.replace(/-start$/, "")] ?? w.doesElse}{" "}
        {w.members(deviceList(members, MOST_LISTED))}
      </p>
      {members.length > 2 && (
        <p class="exchange-choice">
          <label>
            {w.to}{" "}
            <select
              value={to === null ? "all" : String(to)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                wanted.value = value === "all" ? value : Number(value);
              }}
            >
              {drawable && <option value="all">{w.all}</option>}
              {members.slice(0, drawn).map((device) => (
                <option key={device} value={String(device)}>
                  {w.device(device)}
                </option>
              ))}
            </select>
          </label>
          <RowZoom
            row={row.value}
            onZoom={(height) => {
              row.value = height;
            }}
          />
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="exchange-scroll" tabIndex={0} aria-label={w.between}>
        <Picture exchange={exchange} to={to} row={row.value} />
      </section>
      {members.length > drawn && <p class="muted">{w.drawn(drawn, members.length)}</p>}
      <ScrollTable class="shard-table" label={w.parts} columns={w.partColumns}>
        {parts.map(({ device, given, got }) => (
          <tr key={device}>
            <th scope="row">{device}</th>
            <td class="mono">{given.join(" · ") || w.nothing}</td>
            <td class="mono">{got ?? w.nothing}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}
