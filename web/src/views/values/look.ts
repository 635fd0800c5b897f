/**
 * How a value is drawn beyond its mode: its axes, a scale, what a block shows. All of it is one text,
 * which links have: "axes:r,c,3/scale:log". What is as usual is not written.
 */
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../../app/app";
import { type Axes, cellOf, inBounds, sliceThrough } from "../../ui/axes";
import { valuesSession } from "./session";

/** All of it, by dimension, for links: "r,c,3"; "k" is that of the colours. "" for these defaults. */
export function sliceText(axes: Axes, usual: Axes): string {
  const text = ({ row, col, channel, fixed }: Axes): string =>
    fixed.map((i, d) => (d === row ? "r" : d === col ? "c" : d === channel ? "k" : i)).join();
  return text(axes) === text(usual) ? "" : text(axes);
}

/** What that text says of an array; `usual` if it is not one about these dimensions. */
export function parseSlice(text: string, dims: readonly number[], usual: Axes): Axes {
  const parts = text.split(",");
  const places = (letter: string): number[] =>
    parts.flatMap((part, d) => (part === letter ? [d] : []));
  const [[row = -1, ...moreRows], [col = -1, ...moreCols], [channel = -1]] = [
    places("r"),
    places("c"),
    places("k"),
  ];
  const fits =
    parts.length === dims.length &&
    moreRows.length + moreCols.length === 0 &&
    parts.every(
      (part, d) => /^[rck]$/.test(part) || (/^\d{1,15}$/.test(part) && +part < (dims[d] ?? 0)),
    );
  if (!fits) return usual;
  const fixed = parts.map((part) => Number(part) || 0);
  return usual.channel === undefined ? { row, col, fixed } : { row, col, channel, fixed };
}

export function readLook(text: string): Map<string, string> {
  const parts = text.split("/").flatMap((part): [string, string][] => {
    const colon = part.indexOf(":");
    return colon > 0 ? [[part.slice(0, colon), part.slice(colon + 1)]] : [];
  });
  return new Map(parts);
}

/** The text with one part changed; "" removes it. */
export function withLook(text: string, key: string, value: string): string {
  const look = readLook(text);
  look.set(key, value);
  return [...look].flatMap(([k, v]) => (v === "" ? [] : [`${k}:${v}`])).join("/");
}

/** A part of the look; "" where it is as usual. */
export function useLook(app: App, key: string): { value: string } {
  const { look } = valuesSession(app);
  const known = readLook(look.value).get(key) ?? "";
  return {
    get value() {
      return known;
    },
    set value(next) {
      look.value = withLook(look.peek(), key, next);
    },
  };
}

/** A part that is one of some words, of which `usual` is not written. */
export function useWord<T extends string>(
  app: App,
  key: string,
  words: readonly T[],
  usual: T,
): { value: T } {
  const look = useLook(app, key);
  const known = words.find((word) => word === look.value) ?? usual;
  return {
    get value() {
      return known;
    },
    set value(next) {
      look.value = next === usual ? "" : next;
    },
  };
}

/** Where the selected element is in a slice; null where it is in another one, or there is none. */
export function selectedCell(
  { state }: App,
  axes: Axes,
  dims: number[],
): ReturnType<typeof cellOf> {
  const { index } = state.focus.value;
  return index && inBounds(index, dims) ? cellOf(axes, index) : null;
}

/** Which slice is shown, by default `usual`: it follows the selected element. */
export function useSlice(
  app: App,
  key: string,
  dims: number[],
  usual: Axes,
): Pick<Signal<Axes>, "value"> {
  const look = useLook(app, key);
  const axes = parseSlice(look.value, dims, usual);
  const index = app.state.focus.value.index;
  const isElsewhere = index !== null && inBounds(index, dims) && !cellOf(axes, index);
  useEffect(() => {
    if (index && isElsewhere) look.value = sliceText(sliceThrough(axes, index), usual);
  }, [index?.join(), dims.join()]);
  return {
    get value() {
      return axes;
    },
    set value(next) {
      look.value = sliceText(next, usual);
    },
  };
}
