/** An exchange as boxes and lines. */
import { expect, it } from "vitest";
import type { DeviceExchange, DeviceFlow } from "../../wasm/engine_api";
import {
  exchangePicture,
  flowsTo,
  MOST_DRAWN,
  shownTarget,
} from "../../web/src/views/devices/exchanges";

const EXCHANGED = { cuts: true, joins: true, root: null, sink: null };

function exchange(
  members: number[],
  flows: DeviceFlow[],
  pattern: DeviceExchange["pattern"] = null,
): DeviceExchange {
  return {
    name: "x",
    shown: "x",
    computation: "e",
    opcode: "all-to-all",
    range: [0, 1],
    shape: "f32[2]",
    round: 0,
    position: 0,
    members,
    combines: false,
    parts: [],
    flows,
    pattern,
    rows: null,
    grid: [],
  };
}

const allToAll = (members: number[]): DeviceFlow[] =>
  members.flatMap((from, got) => members.map((to, given) => ({ from, to, given, got })));

it("cuts boxes into a piece for each member where pieces are exchanged", () => {
  const members = [4, 6];
  const picture = exchangePicture(exchange(members, allToAll(members), EXCHANGED), null);
  expect(picture.given.map(({ from }) => from)).toEqual([[4], [4], [6], [6]]);
  expect(picture.got.map(({ from }) => from)).toEqual([[4], [6], [4], [6]]);
  expect(picture.lines).toHaveLength(4);
});

it("keeps boxes whole where whole values go, and empty where nothing comes", () => {
  const flows = [{ from: 0, to: 1, given: -1, got: -1 }];
  const picture = exchangePicture(exchange([0, 1], flows), null);
  expect(picture.got.map(({ from }) => from)).toEqual([[], [0]]);
  expect(picture.lines.map(({ from, to }) => [from, to])).toEqual([[0, 1]]);
});

it("draws what goes to the device that is wanted, where there is such a one", () => {
  const few = exchange([4, 6], allToAll([4, 6]), EXCHANGED);
  expect([6, "all", 5, null].map((to) => shownTarget(few, to as number))).toEqual([
    6,
    null,
    null,
    null,
  ]);
  const members = Array.from({ length: 20 }, (_, i) => i);
  const many = exchange(members, [], EXCHANGED);
  expect(shownTarget(many, null)).toBe(0);
  expect(shownTarget(many, 19)).toBe(19);
  expect(shownTarget(many, 999_999)).toBe(0);
});

it("draws what goes to one device only, of hundreds", () => {
  const members = Array.from({ length: 300 }, (_, i) => 2 * i);
  const picture = exchangePicture(exchange(members, [], EXCHANGED), 6);
  expect(picture.members).toHaveLength(MOST_DRAWN);
  expect(picture.lines).toHaveLength(MOST_DRAWN);
  expect(picture.lines.every(({ to }) => to === 6)).toBe(true);
  // Of each box that gives the piece that goes there; the box that gets is cut into all of them.
  expect(picture.given.filter(({ from }) => from.length > 0)).toHaveLength(MOST_DRAWN);
  expect(picture.got.filter(({ y }) => y === picture.got[3]?.y).length).toBeGreaterThan(200);
  expect(picture.got.length).toBeLessThan(2 * MOST_DRAWN + 60);
});

it("a broadcast has one source, whichever it is", () => {
  const broadcast = exchange([5, 3, 9], [], { cuts: false, joins: false, root: 3, sink: null });
  expect(flowsTo(broadcast, null).map(({ from, to }) => [from, to])).toEqual([
    [3, 5],
    [3, 3],
    [3, 9],
  ]);
  expect(exchangePicture(broadcast, null).got.map(({ from }) => from)).toEqual([[3], [3], [3]]);
});

it("what is reduced has one target, whichever it is", () => {
  const reduce = exchange([5, 3, 9], [], { cuts: false, joins: false, root: null, sink: 9 });
  expect(flowsTo(reduce, null).map(({ from, to }) => [from, to])).toEqual([
    [5, 9],
    [3, 9],
    [9, 9],
  ]);
  expect(flowsTo(reduce, 3)).toEqual([]);
  expect(exchangePicture(reduce, null).got.map(({ from }) => from)).toEqual([[], [], [5, 3, 9]]);
});

it("rows lie in boxes where numbers say", () => {
  const flows: DeviceFlow[] = [
    { from: 0, to: 1, given: -1, got: -1, givenRows: [1, 4], gotRows: [0, 3] },
    { from: 1, to: 1, given: -1, got: -1, givenRows: [0, 1], gotRows: [3, 4] },
  ];
  const picture = exchangePicture({ ...exchange([0, 1], flows), rows: { given: 4, got: 4 } }, null);
  const filled = picture.got.filter(({ from }) => from.length > 0);
  expect(filled.map(({ from, rows }) => [from, rows])).toEqual([
    [[0], "0:3"],
    [[1], "3:4"],
  ]);
  expect(filled[0]?.width).toBeCloseTo(3 * (filled[1]?.width ?? 0));
  expect(picture.lines).toHaveLength(2);
});
