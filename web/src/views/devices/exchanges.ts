/** An exchange as boxes and lines between them: pure. */
import type { DeviceExchange, DeviceFlow } from "../../../../wasm/engine_api";

/** Members that are drawn. */
export const MOST_DRAWN = 16;
/** Lines that are drawn before one device is chosen. */
export const MOST_LINES = 40;

export const WIDTH = 440;
export const ROW = 52;
export const BOX = { width: 130, height: 26 } as const;
/** How far a line that leaves or enters a box from above or below goes straight on. */
const BEND = 22;
const HEAD = 24;

/** Colours are told apart by so many hues; numbers tell the devices. */
const HUES = 8;
export const hueOf = (device: number): number => device % HUES;

/** A part of a box. */
export interface Piece {
  x: number;
  y: number;
  width: number;
  /** The devices whose data is in it. */
  from: number[];
}

export interface Line {
  from: number;
  to: number;
  /** Of an SVG path. */
  path: string;
}

export interface ExchangePicture {
  height: number;
  members: number[];
  given: Piece[];
  got: Piece[];
  lines: Line[];
}

const yOf = (row: number): number => HEAD + row * ROW + (ROW - BOX.height) / 2;

/** The pieces of one box: one, or as many as there are members. */
function pieces(x: number, row: number, count: number, from: (piece: number) => number[]): Piece[] {
  const width = BOX.width / count;
  return Array.from({ length: count }, (_, i) => ({
    x: x + i * width,
    y: yOf(row),
    width,
    from: from(i),
  }));
}

/** `to`: only what goes to this device; null: to all. */
export function exchangePicture(exchange: DeviceExchange, to: number | null): ExchangePicture {
  const { flows } = exchange;
  const members = exchange.members.slice(0, MOST_DRAWN);
  const count = members.length;
  const right = WIDTH - BOX.width - 1;
  const cutsGiven = flows.some(({ given }) => given >= 0) ? count : 1;
  const cutsGot = flows.some(({ got }) => got >= 0) ? count : 1;
  const sourcesOf = (device: number, piece: number): number[] =>
    flows.filter((f) => f.to === device && (f.got < 0 || f.got === piece)).map(({ from }) => from);
  const rowOf = new Map(members.map((device, row) => [device, row]));
  const middle = (piece: number, cuts: number): number =>
    ((Math.max(piece, 0) + 0.5) * BOX.width) / cuts;
  const line = (flow: DeviceFlow): Line[] => {
    const [source, target] = [rowOf.get(flow.from), rowOf.get(flow.to)];
    if (source === undefined || target === undefined) return [];
    if (to !== null && flow.to !== to) return [];
    // From the side of a box, or from below the piece that is cut out of it.
    const isCut = cutsGiven > 1;
    const lands = cutsGot > 1;
    const x1 = 1 + (isCut ? middle(flow.given, cutsGiven) : BOX.width);
    const y1 = yOf(source) + (isCut ? BOX.height : BOX.height / 2);
    const x2 = right + (lands ? middle(flow.got, cutsGot) : 0);
    const y2 = yOf(target) + (lands ? 0 : BOX.height / 2);
    const leave = isCut ? `${x1} ${y1 + BEND}` : `${WIDTH / 2} ${y1}`;
    const enter = lands ? `${x2} ${y2 - BEND}` : `${WIDTH / 2} ${y2}`;
    const path = `M${x1} ${y1}C${leave} ${enter} ${x2} ${y2}`;
    return [{ from: flow.from, to: flow.to, path }];
  };
  return {
    height: HEAD + count * ROW + 4,
    members,
    given: members.flatMap((device, row) => pieces(1, row, cutsGiven, () => [device])),
    got: members.flatMap((device, row) =>
      pieces(right, row, cutsGot, (piece) => sourcesOf(device, piece)),
    ),
    lines: flows.flatMap(line),
  };
}
