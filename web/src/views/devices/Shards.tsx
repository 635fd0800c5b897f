/** An array as tiles, coloured and numbered by the devices that have them, and as a table. */
import type { JSX } from "preact";
import type { ShardedLeaf } from "../../../../wasm/engine_api";
import { capitalized } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { deviceList, type Tile, type TilePicture, tilePicture } from "./tiles";
import { deviceWords as w } from "./words";

const WIDTH = 560;
const HEIGHT = 300;
/** Colours are told apart by so many hues; numbers tell the devices. */
const HUES = 8;

function TileBox(props: { tile: Tile; picture: TilePicture }): JSX.Element {
  const { tile, picture } = props;
  const width = WIDTH / picture.columns;
  const height = HEIGHT / picture.rows;
  const x = tile.column * width;
  const y = tile.row * height;
  const [down, across] = tile.filled;
  const most = Math.max(1, Math.floor(width / 24) - 1);
  const hue = (tile.devices[0] ?? 0) % HUES;
  return (
    <g>
      <title>{w.tile(deviceList(tile.devices, 64))}</title>
      <rect x={x} y={y} width={width} height={height} class="shard-padding" />
      <rect x={x} y={y} width={width * across} height={height * down} class={`hue-${hue}`} />
      {tile.devices.length > 1 && (
        <rect x={x} y={y} width={width * across} height={height * down} class="shard-same" />
      )}
      <rect x={x} y={y} width={width} height={height} class="shard-edge" />
      {width >= 20 && height >= 14 && (
        <text x={x + width / 2} y={y + height / 2} class="shard-number">
          {deviceList(tile.devices, most)}
        </text>
      )}
    </g>
  );
}

/** Diagonal lines, to the left or to the right. */
function Hatch(props: { id: string; isLeft: boolean }): JSX.Element {
  return (
    <pattern id={props.id} width="8" height="8" patternUnits="userSpaceOnUse">
      <path d={props.isLeft ? "M0 0l8 8" : "M8 0l-8 8"} class="shard-line" />
    </pattern>
  );
}

/** What the lines of a pattern mean. */
function HatchMeans(props: { hatch: string; what: string }): JSX.Element {
  return (
    <p class="muted">
      <svg class="shard-swatch" viewBox="0 0 22 14" aria-hidden="true">
        <rect width="22" height="14" class={props.hatch} />
      </svg>
      {props.what}
    </p>
  );
}

const ranges = (start: readonly number[], limit: readonly number[]): string =>
  `[${start.map((from, d) => `${from}:${limit[d] ?? from}`).join(", ")}]`;

export function Shards({ leaf }: { leaf: ShardedLeaf }): JSX.Element {
  const picture = tilePicture(leaf);
  const isPadded = leaf.devices.some(({ padding }) => padding.some((n) => n > 0));
  return (
    <>
      <p class="shard-words">
        <span class="mono">{leaf.shape}</span> <span class="mono muted">{leaf.sharding}</span>
        <br />
        {capitalized(leaf.words)}.
      </p>
      {leaf.devices.length > 0 && (
        <svg
          class="shards"
          preserveAspectRatio="xMinYMin"
          viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`}
          role="img"
          aria-label={w.picture(leaf.shape)}
        >
          <defs>
            <Hatch id="shard-same" isLeft />
            <Hatch id="shard-padding" isLeft={false} />
          </defs>
          {picture.tiles.map((tile) => (
            <TileBox key={`${tile.row} ${tile.column}`} tile={tile} picture={picture} />
          ))}
        </svg>
      )}
      {leaf.holders > 1 && <HatchMeans hatch="shard-same" what={w.same(leaf.holders)} />}
      {isPadded && <HatchMeans hatch="shard-padding" what={w.padded} />}
      {picture.fixed.length > 0 && <p class="muted">{w.fixed(picture.fixed)}</p>}
      {picture.isCut && <p class="muted">{w.cut(Math.max(picture.rows, picture.columns))}</p>}
      {leaf.deviceCount > leaf.devices.length && (
        <p class="muted">{w.more(leaf.devices.length, leaf.deviceCount)}</p>
      )}
      <ScrollTable
        class="shard-table"
        label={w.pieces}
        columns={w.columns}
        count={leaf.deviceCount}
      >
        {leaf.devices.map(({ device, tile, start, limit, padding }) => (
          <tr key={device}>
            <th scope="row">{device}</th>
            <td class="mono">({tile.join(", ")})</td>
            <td class="mono">{ranges(start, limit)}</td>
            <td class="mono">{padding.some((n) => n > 0) ? `[${padding.join(", ")}]` : w.none}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}
