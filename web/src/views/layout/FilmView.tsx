/** The film of a layout: its steps, and the array as each of them left it. */
import type { JSX } from "preact";
import type { FilmFrame, LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { Pin } from "../../grid/cells";
import { GridCanvas } from "../../grid/GridCanvas";
import type { CellPlace } from "../../grid/viewport";
import { words } from "../../strings";
import { integer } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { type FilmSession, MOST_PINS, PIN_LETTERS, step, togglePin } from "./film";
import {
  effectOf,
  type FrameGrid,
  frameGrids,
  readFrame,
  slotCell,
  slotInFrame,
} from "./film_frames";
import { paddingValue } from "./model";
import { type LayoutSession, lineOf, pick } from "./session";
import { indexOf } from "./window_cells";
import { layoutWords } from "./words";

interface FilmProps {
  app: App;
  session: LayoutSession;
  film: FilmSession;
  info: LayoutInfo;
}

function Steps({ film, frames }: { film: FilmSession; frames: FilmFrame[] }): JSX.Element {
  const at = film.frame.value;
  const w = layoutWords.film;
  return (
    <ol class="film-steps">
      {frames.map((frame, i) => (
        <li key={i}>
          <button
            type="button"
            aria-current={i === at ? "step" : undefined}
            onClick={() => {
              film.frame.value = i;
            }}
          >
            <span class="film-title">{frame.title}</span>
            <code>{frame.dims.join(" × ") || "1"}</code>
            {i > 0 && <span class={`badge ${frame.effect}`}>{w.effects[effectOf(frames, i)]}</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Controls({ film, frames }: { film: FilmSession; frames: FilmFrame[] }): JSX.Element {
  const at = film.frame.value;
  const frame = frames[at];
  const w = layoutWords.film;
  return (
    <div class="film-controls">
      <button
        type="button"
        class="quiet"
        aria-label={`${words.layout.film.previous} ([)`}
        title={`${words.layout.film.previous} ([)`}
        disabled={at === 0}
        onClick={() => step(film, -1)}
      >
        <Icon name="back" />
      </button>
      <input
        type="range"
        aria-label={w.slider}
        min={0}
        max={frames.length - 1}
        value={at}
        aria-valuetext={frame ? w.spoken(at, frames.length, frame.title) : ""}
        onInput={(event) => {
          film.frame.value = Number(event.currentTarget.value);
        }}
      />
      <button
        type="button"
        class="quiet"
        aria-label={`${words.layout.film.next} (])`}
        title={`${words.layout.film.next} (])`}
        disabled={at === frames.length - 1}
        onClick={() => step(film, 1)}
      >
        <Icon name="next" />
      </button>
      <span class="muted">{w.of(at, frames.length)}</span>
    </div>
  );
}

function Pins({ app, session, film }: FilmProps): JSX.Element {
  const picked = session.picked.value?.index ?? null;
  const isPinned = picked && film.pins.value.some((pin) => pin.join() === picked.join());
  const w = layoutWords.film;
  return (
    <div class="film-pins">
      {picked && (
        <button
          type="button"
          class="quiet"
          aria-pressed={isPinned ?? false}
          disabled={!isPinned && film.pins.value.length >= MOST_PINS}
          onClick={() => togglePin(film, picked)}
        >
          <Icon name="pin" />
          <span>{w.pin(picked.join(", "))}</span>
        </button>
      )}
      {film.pins.value.map((index, i) => {
        const slot = slotInFrame(film, index);
        return (
          <span key={index.join()} class={`film-pin pin-${i}`}>
            <button
              type="button"
              class="quiet"
              onClick={() => pick(session, app, { index, offset: -1 })}
            >
              <b>{PIN_LETTERS[i]}</b> ({index.join(", ")})
              {slot !== null && <span class="muted">{` ${w.slot(integer(slot))}`}</span>}
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={w.unpin(index.join(", "))}
              title={w.unpin(index.join(", "))}
              onClick={() => togglePin(film, index)}
            >
              <Icon name="close" />
            </button>
          </span>
        );
      })}
    </div>
  );
}

const digits = (n: number): number => String(Math.max(0, n - 1)).length;

function Frame(props: FilmProps & { frame: FilmFrame; grid: FrameGrid }): JSX.Element {
  const { app, session, film, info, frame, grid } = props;
  const at = film.frame.value;
  const letters = info.dims.reduce((sum, size) => sum + digits(size) + 1, -1);
  const look = { colour: session.colour.value, axes: session.axes.value };
  const cellOfIndex = (index: readonly number[] | null | undefined): CellPlace | null => {
    const slot = slotInFrame(film, index ?? null);
    return slot === null ? null : slotCell(slot, grid);
  };
  const indexAt = ({ row, col }: CellPlace): number[] | null => {
    const window = film.window;
    return window ? indexOf(window, info.dims.length, row * grid.cols + col) : null;
  };
  const pins = film.pins.value.flatMap((index, colour): Pin[] => {
    const place = cellOfIndex(index);
    return place ? [{ place, colour, letter: PIN_LETTERS[colour] ?? "" }] : [];
  });
  const load = async (rect: { row: number; col: number; rows: number; cols: number }) => {
    const read = await readFrame(app, session, info, { frame, grid, at }, rect);
    if (film.shown.peek() !== frame) return null;
    film.window = read.answer;
    return read.cells;
  };
  return (
    <GridCanvas
      id="film-grid"
      label={layoutWords.film.grid(frame.title, frame.dims.join(" × "))}
      rows={grid.rows}
      cols={grid.cols}
      cellWidth={Math.max(30, Math.min(96, letters * 8 + 8))}
      cellHeight={28}
      fit={{ narrowest: Math.max(24, letters * 6 + 5), widest: 72, tallest: 40 }}
      rowHeader={Math.max(28, digits(frame.slots) * 7 + 14)}
      rowName={(row) => String(row * grid.cols)}
      colName={(col) => `+${col}`}
      source={JSON.stringify([session.turn.value, info.subject, at, look])}
      load={load}
      selected={cellOfIndex(session.picked.value?.index)}
      hovered={cellOfIndex(session.hover.value?.index)}
      pins={pins}
      animated
      theme={String(app.state.dark.value)}
      onSelect={(place) => {
        const index = indexAt(place);
        if (index) pick(session, app, { index, offset: -1 });
      }}
      onHover={(place) => {
        const index = place ? indexAt(place) : null;
        session.hover.value = index ? { index, offset: -1 } : null;
      }}
      speak={(place) => {
        const index = indexAt(place);
        const slot = layoutWords.film.slot(integer(place.row * grid.cols + place.col));
        return `${index ? words.grid.index(index) : words.grid.paddingOf(paddingValue(info))}, ${slot}`;
      }}
    />
  );
}

export function FilmView(props: FilmProps): JSX.Element | null {
  const { film, session } = props;
  const frames = film.info.value?.frames ?? [];
  const frame = film.shown.value;
  if (!frame) return null;
  const grid = frameGrids(frames, lineOf(session))[film.frame.value];
  if (!grid) return null;
  const w = layoutWords.film;
  return (
    <section class="film" aria-label={w.title}>
      <Controls film={film} frames={frames} />
      <div class="film-frame">
        <p class="film-caption" aria-live="polite">
          <b>{frame.title}</b>
          {film.frame.value > 0 && ` ${w.explains[effectOf(frames, film.frame.value)]}`}
        </p>
        <Frame {...props} frame={frame} grid={grid} />
        <Pins {...props} />
      </div>
      <Steps film={film} frames={frames} />
    </section>
  );
}
