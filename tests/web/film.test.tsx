/** The film of a layout, what a relayout costs, other layouts. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FilmFrame } from "../../wasm/engine_api";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { OUTSIDE, PADDING } from "../../web/src/grid/cells";
import { defaultAxes } from "../../web/src/ui/axes";
import { createCompared } from "../../web/src/views/layout/compare";
import {
  createFilm,
  MOST_PINS,
  parsePins,
  pinsText,
  step,
  togglePin,
} from "../../web/src/views/layout/film";
import {
  effectOf,
  elementTint,
  frameCells,
  frameGrid,
  frameGrids,
  slotCell,
  slotInFrame,
  slotOf,
} from "../../web/src/views/layout/film_frames";
import { LayoutView } from "../../web/src/views/layout/LayoutView";
import { createSession } from "../../web/src/views/layout/session";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const frame = (dims: number[]): FilmFrame => ({
  kind: "reshape",
  title: "a step",
  dims,
  slots: dims.reduce((a, b) => a * b, 1),
  effect: "bitcast",
  permutation: [],
});

describe("a frame", () => {
  it("is drawn with the last dimensions side by side", () => {
    expect(frameGrid(frame([3, 5]), 8)).toEqual({ rows: 3, cols: 5, group: 15, part: 5 });
    expect(frameGrid(frame([2, 2, 3, 4]), 8)).toMatchObject({
      rows: 4,
      cols: 12,
      group: 12,
      part: 4,
    });
    expect(frameGrid(frame([2, 3, 2, 2]), 8)).toMatchObject({
      rows: 2,
      cols: 12,
      group: 4,
      part: 2,
    });
    expect(frameGrid(frame([2, 128]), 8)).toMatchObject({ rows: 2, cols: 128 });
    expect(frameGrid(frame([24]), 12)).toMatchObject({ rows: 2, cols: 12 });
    expect(frameGrid(frame([]), 12)).toMatchObject({ rows: 1, cols: 1 });
  });

  it("keeps its lines where a step is a bitcast", () => {
    const moved = { ...frame([2, 3, 2, 2]), effect: "move" as const };
    const padded = { ...frame([4, 6]), effect: "extend" as const };
    const cut = { ...frame([22]), effect: "extend" as const };
    expect([moved, padded, cut].map((_, i) => effectOf([moved, padded, cut], i))).toEqual([
      "move",
      "extend",
      "cut",
    ]);
    const film = [frame([3, 5]), padded, frame([2, 2, 3, 2]), moved, frame([24])];
    expect(frameGrids(film, 8).map(({ cols }) => cols)).toEqual([5, 6, 6, 12, 12]);
  });

  it("has a cell for every slot", () => {
    expect(slotOf([1, 1, 0, 1], [2, 3, 2, 2])).toBe(17);
    expect(slotOf([], [])).toBe(0);
    expect(slotCell(17, frameGrid(frame([2, 3, 2, 2]), 8))).toEqual({ row: 1, col: 5 });
  });

  it("keeps the colour of an element from step to step", () => {
    const axes = defaultAxes(2);
    expect(elementTint([2, 3], "tile", axes, [2, 2])).toBe((1 + 3) % 8);
    expect(elementTint([2, 3], "row", axes, [2, 2])).toBe(2);
    expect(elementTint([2, 3], "column", axes, [2, 2])).toBe(3);
    expect(elementTint([2, 3], "tile", axes, [1, 1])).toBe(2);
    expect(elementTint([2, 3], "none", axes, [2, 2])).toBe(-1);
  });

  it("shows padding, and nothing behind its end", () => {
    const info = engine.layout("f32[3,5]{1,0:T(2,2)}");
    const { frames } = engine.film(info.subject);
    const last = frames.at(-1);
    if (!last) throw new Error("no film");
    expect(last).toMatchObject({ title: "the buffer", dims: [24] });
    const rect = { row: 0, col: 0, rows: 3, cols: 10 };
    const look = { colour: "tile", axes: defaultAxes(2) };
    const answer = engine.filmWindow(info.subject, frames.length - 1, 0, 24);
    const cells = frameCells(info, last, frameGrid(last, 10), look, rect, answer);
    expect(cells.text[17]).toBe("2,3");
    expect([...cells.kind].filter((kind) => kind === PADDING)).toHaveLength(9);
    expect([...cells.kind].filter((kind) => kind === OUTSIDE)).toHaveLength(6);
  });
});

describe("pins", () => {
  it("come and go, and are not too many", () => {
    const film = createFilm();
    togglePin(film, [2, 3]);
    togglePin(film, [0, 0]);
    expect(pinsText(film.pins.value)).toBe("2,3~0,0");
    togglePin(film, [2, 3]);
    expect(film.pins.value).toEqual([[0, 0]]);
    for (let i = 1; i < 10; i++) togglePin(film, [i, i]);
    expect(film.pins.value).toHaveLength(MOST_PINS);
  });

  it("are read leniently from links", () => {
    expect(parsePins("2,3~0,0")).toEqual([
      [2, 3],
      [0, 0],
    ]);
    expect(parsePins("2,x~~-1~7")).toEqual([[7]]);
    expect(parsePins(undefined)).toEqual([]);
  });
});

describe("the film in the page", () => {
  let app: App;
  let root: HTMLElement;
  beforeEach(() => {
    ({ app, root } = mountApp());
    writable(app.state).typedShape.value = "f32[3,5]{1,0:T(2,2)}";
  });

  const show = () => {
    const session = createSession();
    const compared = createCompared(session);
    const film = createFilm();
    const stops = [session.start(app), compared.start(app), film.start(app, session)];
    render(<LayoutView app={app} session={session} compared={compared} film={film} />, root);
    const stop = (): void => {
      for (const each of stops) each();
    };
    return { session, film, stop };
  };

  it("follows an element from the array into memory", async () => {
    const { film, stop } = show();
    film.open.value = true;
    await vi.waitFor(() => expect(root.querySelectorAll(".film-steps li")).toHaveLength(5));
    await vi.waitFor(() => expect(slotInFrame(film, [2, 3])).toBe(13));
    togglePin(film, [0, 4]);
    step(film, 1);
    expect(slotInFrame(film, [2, 3])).toBe(15);
    step(film, 2);
    expect(slotInFrame(film, [2, 3])).toBe(17);
    await vi.waitFor(() => expect(slotInFrame(film, [0, 4])).toBe(8));
    step(film, 5);
    expect(film.frame.value).toBe(4);
    expect(slotInFrame(film, [2, 3])).toBe(17);
    await vi.waitFor(() =>
      expect(root.querySelector(".film-caption")?.textContent).toContain("buffer"),
    );
    expect(root.querySelector(".film-pin")?.textContent).toContain("A (0, 4) slot 8");
    const slider = root.querySelector<HTMLInputElement>("input[type=range]");
    expect(slider?.getAttribute("aria-valuetext")).toBe("4 of 4: the buffer");
    stop();
  });

  it("goes back to a frame that exists, and lets go of pins outside", async () => {
    const { film, stop } = show();
    film.frame.value = 7;
    film.pins.value = [
      [1, 1],
      [9, 9],
    ];
    film.open.value = true;
    await vi.waitFor(() => expect(film.info.value).not.toBeNull());
    expect(film.frame.value).toBe(4);
    expect(film.pins.value).toEqual([[1, 1]]);
    stop();
  });

  it("says what a relayout costs", async () => {
    const { stop } = show();
    writable(app.state).comparedShape.value = "f32[3,5]{1,0}";
    await vi.waitFor(() =>
      expect(root.querySelector(".relayout")?.textContent).toContain("a copy"),
    );
    const rows = [...root.querySelectorAll(".relayout tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
    expect(rows).toContainEqual(["in memory", "96 B", "60 B"]);
    expect(rows).toContainEqual(["padding", "36 B (38 %)", "none"]);
    const text = root.querySelector(".relayout")?.textContent;
    expect(text).toContain("A copy reads 60 B and writes 60 B.");
    expect(text).toMatch(/takes \d.* ns at the least \(a model/);
    stop();
  });

  it("offers other layouts, to look at and to compare with", async () => {
    const { stop } = show();
    await vi.waitFor(() => expect(root.querySelector(".ranked")).not.toBeNull());
    const details = root.querySelector<HTMLDetailsElement>(".ranked");
    if (details) {
      details.open = true;
      details.dispatchEvent(new Event("toggle"));
    }
    await vi.waitFor(() => expect(root.querySelector(".ranked")?.textContent).toContain("(8,128)"));
    const compare = [...root.querySelectorAll<HTMLElement>(".ranked td button")];
    const shapes = [...root.querySelectorAll(".ranked th button")].map((b) => b.textContent);
    expect(shapes.slice(0, 3)).toEqual([
      "f32[3,5]{1,0}",
      "f32[3,5]{1,0:T(2,2)}",
      "f32[3,5]{1,0:T(4,128)}",
    ]);
    compare[1]?.click();
    expect(app.state.comparedShape.value).toBe("f32[3,5]{1,0:T(2,2)}");
    stop();
  });
});
