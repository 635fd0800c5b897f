/** Two layouts of one array: where every element lies in one and in the other. */
import { computed, effect, type ReadonlySignal } from "@preact/signals";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import { words } from "../../strings";
import { isCountable } from "./model";
import { createSession, type LayoutSession } from "./session";

/** Why two layouts cannot be compared; null if they can. */
export function misfit(a: LayoutInfo | null, b: LayoutInfo | null): string | null {
  if (!a?.ok || !b) return null;
  if (!b.ok) return b.diagnostics[0]?.message ?? words.layout.notLaidOut;
  if (a.dims.join() !== b.dims.join()) {
    return words.layout.otherSizes(a.dims.join(" × "), b.dims.join(" × "));
  }
  if (!isCountable(b)) return words.layout.uncountable;
  return a.elementBits === b.elementBits
    ? null
    : words.layout.otherBits(a.elementBits, b.elementBits);
}

/** The second layout of a comparison: its own memory, the axes and colours of the first. */
export function createCompared(first: LayoutSession): LayoutSession {
  const own = createSession((app) => app.state.comparedShape.value ?? "");
  const session: LayoutSession = {
    ...own,
    axes: first.axes,
    cells: first.cells,
    colour: first.colour,
    line: first.line,
    start(app) {
      const stops = [own.start(app, session), followHover(app, first, session)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return session;
}

/** What is hovered in one memory is hovered in the other: the same element. */
function followHover(app: App, first: LayoutSession, second: LayoutSession): () => void {
  const ask = new Latest(([shape, index]: [string, number[]]) =>
    app.engines.typing.call("address", [shape, index]),
  );
  const follow = (from: LayoutSession, to: LayoutSession) =>
    effect(() => {
      const index = from.hover.value?.index ?? null;
      const info = to.info.peek();
      const here = to.hover.peek()?.index ?? null;
      if ((index?.join() ?? "") === (here?.join() ?? "") || !info?.ok) return;
      if (!index) {
        to.hover.value = null;
        return;
      }
      ask.ask([info.subject, index]).then((address) => {
        if (address?.ok && from.hover.peek()?.index?.join() === index.join()) {
          to.hover.value = { index, offset: address.offset };
        }
      });
    });
  const stops = [follow(first, second), follow(second, first)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Whether a comparison is asked for, and possible. */
export function comparing(
  app: App,
  first: LayoutSession,
  second: LayoutSession,
): ReadonlySignal<boolean> {
  return computed(
    () =>
      app.state.comparedShape.value !== null &&
      second.info.value !== null &&
      misfit(first.info.value, second.info.value) === null,
  );
}
