/** An exchange as boxes and lines. */
import { expect, it } from "vitest";
import type { DeviceExchange, DeviceFlow } from "../../wasm/engine_api";
import { exchangePicture, MOST_DRAWN } from "../../web/src/views/devices/exchanges";

function exchange(members: number[], flows: DeviceFlow[]): DeviceExchange {
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
    grid: [],
  };
}

const allToAll = (members: number[]): DeviceFlow[] =>
  members.flatMap((from, got) => members.map((to, given) => ({ from, to, given, got })));

it("cuts boxes into a piece for each member where pieces are exchanged", () => {
  const members = [4, 6];
  const picture = exchangePicture(exchange(members, allToAll(members)), null);
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

it("draws what goes to one device only, and no more members than there is room for", () => {
  const members = Array.from({ length: 40 }, (_, i) => i);
  const picture = exchangePicture(exchange(members, allToAll(members)), 3);
  expect(picture.members).toHaveLength(MOST_DRAWN);
  expect(picture.lines).toHaveLength(MOST_DRAWN);
  expect(picture.lines.every(({ to }) => to === 3)).toBe(true);
});
