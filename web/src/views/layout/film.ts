/**
 * The film of a layout, frame by frame: which frame is shown, which elements are pinned, and where
 * they are in it. The engine computes the steps; `film_frames.ts` draws them.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FilmFrame, FilmInfo, LinearWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import { inBounds } from "../../ui/axes";
import type { LayoutSession } from "./session";

/** Maximum number of pinned elements: each has a colour and a letter. */
export const MOST_PINS = 6;
export const PIN_LETTERS = "ABCDEF";

export interface FilmSession {
  open: Signal<boolean>;
  frame: Signal<number>;
  /** Null until the engine has answered; for the layout on the screen. */
  info: Signal<FilmInfo | null>;
  shown: ReadonlySignal<FilmFrame | null>;
  pins: Signal<number[][]>;
  /** Where the selected element and the pins are, by index text: a place per frame. */
  places: Signal<ReadonlyMap<string, number[][]>>;
  /** What hovering reads from. */
  window: LinearWindow | null;
  start(app: App, layout: LayoutSession): () => void;
}

function watchInfo(film: FilmSession, app: App, layout: LayoutSession): () => void {
  const ask = new Latest((shape: string) => app.engines.typing.call("film", [shape]));
  return effect(() => {
    const info = layout.info.value;
    if (!film.open.value || !info?.ok) return;
    ask.ask(info.subject).then((answer) => {
      if (!answer || layout.info.peek() !== info) return;
      batch(() => {
        film.info.value = answer;
        film.frame.value = Math.max(0, Math.min(film.frame.peek(), answer.frames.length - 1));
        film.pins.value = film.pins.peek().filter((index) => inBounds(index, info.dims));
        film.places.value = new Map();
      });
    });
  });
}

/** Requests the positions of the selected element and the pins, each once. */
function watchPlaces(film: FilmSession, app: App, layout: LayoutSession): () => void {
  return effect(() => {
    const info = layout.info.value;
    const known = film.places.value;
    const picked = layout.picked.value?.index;
    if (!film.open.value || !info?.ok || !film.info.value) return;
    for (const index of [...film.pins.value, ...(picked ? [picked] : [])]) {
      const key = index.join();
      if (known.has(key) || !inBounds(index, info.dims)) continue;
      app.engines.typing.call("filmPlaces", [info.subject, index]).then(
        (places) => {
          if (layout.info.peek() !== info) return;
          film.places.value = new Map(film.places.peek()).set(key, places);
        },
        () => undefined,
      );
    }
  });
}

export function createFilm(): FilmSession {
  const info = signal<FilmInfo | null>(null);
  const frame = signal(0);
  const film: FilmSession = {
    open: signal(false),
    frame,
    info,
    shown: computed(() => info.value?.frames[frame.value] ?? null),
    pins: signal([]),
    places: signal(new Map()),
    window: null,
    start(app, layout) {
      const stops = [watchInfo(film, app, layout), watchPlaces(film, app, layout)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return film;
}

/** Goes to a frame; ignored if out of range. */
export function step(film: FilmSession, by: number): void {
  const last = (film.info.value?.frames.length ?? 1) - 1;
  film.frame.value = Math.max(0, Math.min(last, film.frame.value + by));
}

/** Pins or unpins an element. */
export function togglePin(film: FilmSession, index: number[]): void {
  const key = index.join();
  const others = film.pins.value.filter((pin) => pin.join() !== key);
  if (others.length < film.pins.value.length) film.pins.value = others;
  else film.pins.value = [...others, index].slice(-MOST_PINS);
}

/** "2,3~0,4": indices in a link. */
export function pinsText(pins: readonly number[][]): string {
  return pins.map((index) => index.join(",")).join("~");
}

export function parsePins(text: string | undefined): number[][] {
  return (text ?? "")
    .split("~")
    .slice(0, MOST_PINS)
    .filter((part) => part.length < 400 && /^\d{1,15}(,\d{1,15})*$/.test(part))
    .map((part) => part.split(",").map(Number));
}
