/** One exchange: what goes in, whose data goes where, what comes out. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { DeviceExchange } from "../../../../wasm/engine_api";
import { ScrollTable } from "../../ui/ScrollTable";
import { BOX, exchangePicture, hueOf, type Line, MOST_LINES, type Piece, WIDTH } from "./exchanges";
import { deviceList } from "./tiles";
import { deviceWords as w } from "./words";

const MOST_LISTED = 64;

function PieceBox({ piece, combines }: { piece: Piece; combines: boolean }): JSX.Element {
  const { x, y, width, from } = piece;
  const most = Math.max(1, Math.floor(width / 22) - (combines && from.length > 1 ? 3 : 0));
  const label = deviceList(from, most);
  const hues = from.slice(0, 8);
  return (
    <g>
      <title>{from.length > 1 && combines ? w.combined(from.join(", ")) : from.join(", ")}</title>
      <rect x={x} y={y} width={width} height={BOX.height} class="exchange-empty" />
      {hues.map((device, i) => (
        <rect
          key={device}
          x={x + (i * width) / hues.length}
          y={y}
          width={width / hues.length}
          height={BOX.height}
          class={`hue-${hueOf(device)}`}
        />
      ))}
      <rect x={x} y={y} width={width} height={BOX.height} class="shard-edge" />
      {width >= 14 && (
        <text x={x + width / 2} y={y + BOX.height / 2} class="shard-number">
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

function Picture({ exchange, to }: { exchange: DeviceExchange; to: number | null }): JSX.Element {
  const picture = exchangePicture(exchange, to);
  const { combines, opcode } = exchange;
  return (
    <svg
      class="exchange"
      viewBox={`0 0 ${WIDTH} ${picture.height}`}
      role="img"
      aria-label={w.flows(opcode)}
    >
      <defs>
        <marker
          id="exchange-head"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
          markerUnits="userSpaceOnUse"
        >
          <path d="M0 0L8 4L0 8z" class="exchange-head" />
        </marker>
      </defs>
      <text x={1} y={14} class="exchange-title">
        {w.gives}
      </text>
      <text x={WIDTH - BOX.width} y={14} class="exchange-title">
        {w.gets}
      </text>
      {picture.lines.map((line) => (
        <Arrow key={`${line.from} ${line.to}`} line={line} />
      ))}
      {picture.given.map((piece) => (
        <PieceBox key={`${piece.x} ${piece.y}`} piece={piece} combines={false} />
      ))}
      {picture.got.map((piece) => (
        <PieceBox key={`${piece.x} ${piece.y}`} piece={piece} combines={combines} />
      ))}
    </svg>
  );
}

export function Exchange({ exchange }: { exchange: DeviceExchange }): JSX.Element {
  const { members, flows, parts, opcode, shape, shown } = exchange;
  const all = flows.length <= MOST_LINES;
  const to = useSignal<number | null>(all ? null : (members[0] ?? null));
  const drawn = exchangePicture(exchange, to.value).members.length;
  return (
    <>
      <p class="shard-words">
        <span class="mono">{`${shown} = ${shape} ${opcode}`}</span>
        <br />
        {w.does[opcode.replace(/-start$/, "")] ?? w.doesElse}{" "}
        {w.members(deviceList(members, MOST_LISTED))}
      </p>
      {members.length > 2 && (
        <label>
          {w.to}{" "}
          <select
            value={to.value === null ? "" : String(to.value)}
            onChange={(event) => {
              const { value } = event.currentTarget;
              to.value = value === "" ? null : Number(value);
            }}
          >
            <option value="">{w.all}</option>
            {members.slice(0, drawn).map((device) => (
              <option key={device} value={String(device)}>
                {w.device(device)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Picture exchange={exchange} to={to.value} />
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
