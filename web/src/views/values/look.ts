/**
 * How a value is drawn beyond its mode: its axes, a scale, what a block shows. All of it is one text,
 * which links have: "axes:r,c,3/scale:log". What is as usual is not written.
 */
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../../app/app";
import { type Axes, cellOf, inBounds, parseSlice, sliceText, sliceThrough } from "../../ui/axes";
import { valuesSession } from "./session";

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
