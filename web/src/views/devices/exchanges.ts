/** An exchange as boxes and lines between them: pure. */
import type { DeviceExchange, DeviceFlow } from "../../../../wasm/engine_api";

/** Members that are drawn, and those whose pieces are all drawn. */
export const MOST_DRAWN = 256;
const MOST_CUT = 16;
/** Lines that are drawn before one device is chosen. */
const MOST_LINES = 40;

export const WIDTH = 440;
/** Heights of a row, from which one is chosen. */
export const ROWS: readonly number[] = [14, 22, 34, 52];
export const usualRow = (members: number): number => (members > MOST_CUT ? 22 : 52);
const BOX_WIDTH = 130;
/** Colours are told apart by so many hues; numbers tell the devices. */
const HUES = 8;
export const hueOf = (device: number): number => device % HUES;

/** A part of a box. */
export interface Piece {
  x: number;
  y: number;
  width: number;
  /** The devices whose data is in it; none: it is an empty box. */
  from: number[];
  /** Which rows these are; "" for a piece that is no rows. */
  rows: string;
}

export interface Line {
  from: number;
  to: number;
  /** Of an SVG path. */
  path: string;
}

export interface ExchangePicture {
  height: number;
  /** Of a box, and its width. */
  box: { width: number; height: number };
  members: number[];
  given: Piece[];
  got: Piece[];
  lines: Line[];
}

/** All that goes to a device, or (null) to any. */
export function flowsTo(exchange: DeviceExchange, to: number | null): DeviceFlow[] {
  const { flows, pattern } = exchange;
  const members = exchange.members.slice(0, MOST_DRAWN);
  if (!pattern) return flows.filter((flow) => to === null || flow.to === to);
  const sources = pattern.root === null ? members : [pattern.root];
  const all = pattern.sink === null ? members : [pattern.sink];
  const targets = to === null ? all : all.filter((device) => device === to);
  const rank = new Map(exchange.members.map((device, i) => [device, i]));
  return targets.flatMap((target) =>
    sources.map((source) => ({
      from: source,
      to: target,
      given: pattern.cuts ? (rank.get(target) ?? -1) : -1,
      got: pattern.joins ? (rank.get(source) ?? -1) : -1,
    })),
  );
}

/** Whether the lines to all devices can be drawn. */
export const isDrawable = ({ members, pattern }: DeviceExchange): boolean =>
  pattern === null || pattern.root !== null || pattern.sink !== null || members.length <= MOST_CUT;

/** Where a box is cut: piece by piece, or by the rows that go somewhere. */
class Boxes {
  readonly height: number;
  readonly #head = 24;
  constructor(
    readonly exchange: DeviceExchange,
    readonly row: number,
    readonly to: number | null,
  ) {
    this.height = Math.min(26, row - 4);
  }

  y(row: number): number {
    return this.#head + row * this.row + (this.row - this.height) / 2;
  }

  /** A part of a box, from one share of its width to another. */
  part(x: number, row: number, share: [number, number], from: number[], rows = ""): Piece {
    const [begin, end] = share;
    const width = Math.max(1, (end - begin) * BOX_WIDTH);
    return { x: x + begin * BOX_WIDTH, y: this.y(row), width, from, rows };
  }

  given(x: number, row: number, device: number, flows: readonly DeviceFlow[]): Piece[] {
    const { pattern, rows, members } = this.exchange;
    if (rows) return this.#ranges(x, row, rows.given, flows, ({ givenRows }) => givenRows);
    const whole = this.part(x, row, [0, 1], [device]);
    if (!pattern?.cuts) return [whole];
    const n = members.length;
    const piece = (i: number): Piece => this.part(x, row, [i / n, (i + 1) / n], [device]);
    if (n <= MOST_CUT) return members.map((_, i) => piece(i));
    const at = this.to === null ? -1 : members.indexOf(this.to);
    return [{ ...whole, from: [] }, ...(at >= 0 ? [piece(at)] : [])];
  }

  got(x: number, row: number, device: number, flows: readonly DeviceFlow[]): Piece[] {
    const { pattern, rows, members } = this.exchange;
    if (rows) return this.#ranges(x, row, rows.got, flows, ({ gotRows }) => gotRows);
    const n = members.length;
    const isCut = pattern?.joins === true && (n <= MOST_CUT || device === this.to);
    if (!isCut)
      return [
        this.part(
          x,
          row,
          [0, 1],
          flows.map(({ from }) => from),
        ),
      ];
    return members.map((_, i) =>
      this.part(
        x,
        row,
        [i / n, (i + 1) / n],
        flows.flatMap(({ got, from }) => (got === i ? [from] : [])),
      ),
    );
  }

  #ranges(
    x: number,
    row: number,
    size: number,
    flows: readonly DeviceFlow[],
    rowsOf: (flow: DeviceFlow) => [number, number] | undefined,
  ): Piece[] {
    const whole = this.part(x, row, [0, 1], []);
    return [
      whole,
      ...flows.flatMap((flow) => {
        const range = rowsOf(flow);
        if (!range || size === 0) return [];
        const [begin, end] = range;
        const share: [number, number] = [begin / size, end / size];
        return [this.part(x, row, share, [flow.from], `${begin}:${end}`)];
      }),
    ];
  }

  /** The middle of what a flow leaves from, or lands in; null: the side of the box. */
  middle(flow: DeviceFlow, isGiven: boolean): number | null {
    const { rows, members } = this.exchange;
    const range = isGiven ? flow.givenRows : flow.gotRows;
    const size = isGiven ? rows?.given : rows?.got;
    if (range && size) return ((range[0] + range[1]) / 2 / size) * BOX_WIDTH;
    const piece = isGiven ? flow.given : flow.got;
    return piece < 0 ? null : ((piece + 0.5) / members.length) * BOX_WIDTH;
  }
}

/**
 * Which device's data is drawn; null: that of all. What is wanted counts where the exchange has it;
 * else it is all, where these are few lines, or the first device.
 */
export function shownTarget(
  exchange: DeviceExchange,
  wanted: number | "all" | null,
): number | null {
  const members = exchange.members.slice(0, MOST_DRAWN);
  const drawable = isDrawable(exchange);
  if (wanted === "all" && drawable) return null;
  if (typeof wanted === "number" && members.includes(wanted)) return wanted;
  const isAll = drawable && flowsTo(exchange, null).length <= MOST_LINES;
  return isAll ? null : (members[0] ?? null);
}

/** `to`: only what goes to this device; null: to all. `row`: the height of a member's row. */
export function exchangePicture(
  exchange: DeviceExchange,
  to: number | null,
  row = usualRow(exchange.members.length),
): ExchangePicture {
  const members = exchange.members.slice(0, MOST_DRAWN);
  const boxes = new Boxes(exchange, row, to);
  const right = WIDTH - BOX_WIDTH - 1;
  const rowOf = new Map(members.map((device, at) => [device, at]));
  const bend = row * 0.42;
  const line = (flow: DeviceFlow): Line[] => {
    const [source, target] = [rowOf.get(flow.from), rowOf.get(flow.to)];
    if (source === undefined || target === undefined) return [];
    // From the side of a box, or from below the piece that is cut out of it.
    const [leaves, lands] = [boxes.middle(flow, true), boxes.middle(flow, false)];
    const x1 = 1 + (leaves ?? BOX_WIDTH);
    const y1 = boxes.y(source) + (leaves === null ? boxes.height / 2 : boxes.height);
    const x2 = right + (lands ?? 0);
    const y2 = boxes.y(target) + (lands === null ? boxes.height / 2 : 0);
    const leave = leaves === null ? `${WIDTH / 2} ${y1}` : `${x1} ${y1 + bend}`;
    const enter = lands === null ? `${WIDTH / 2} ${y2}` : `${x2} ${y2 - bend}`;
    return [{ from: flow.from, to: flow.to, path: `M${x1} ${y1}C${leave} ${enter} ${x2} ${y2}` }];
  };
  const drawn = flowsTo(exchange, to);
  const isWhole = isDrawable(exchange);
  const all = isWhole ? flowsTo(exchange, null) : drawn;
  const [byTarget, bySource] = [grouped(all, "to"), grouped(all, "from")];
  // Of a large group each member gets the same: it is told once, not for each pair of members.
  const toAny = isWhole ? [] : flowsTo(exchange, members[0] ?? null);
  const gotBy = (device: number): DeviceFlow[] => (isWhole ? (byTarget.get(device) ?? []) : toAny);
  return {
    height: 24 + members.length * row + 4,
    box: { width: BOX_WIDTH, height: boxes.height },
    members,
    given: members.flatMap((device, at) => boxes.given(1, at, device, bySource.get(device) ?? [])),
    got: members.flatMap((device, at) => boxes.got(right, at, device, gotBy(device))),
    lines: drawn.flatMap(line),
  };
}

function grouped(flows: readonly DeviceFlow[], by: "from" | "to"): Map<number, DeviceFlow[]> {
  const groups = new Map<number, DeviceFlow[]>();
  for (const flow of flows) {
    const group = groups.get(flow[by]);
    if (group) group.push(flow);
    else groups.set(flow[by], [flow]);
  }
  return groups;
}
