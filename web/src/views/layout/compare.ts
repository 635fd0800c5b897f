/** Two layouts of one array: where every element lies in one and in the other. */
import { computed, effect, type ReadonlySignal } from "@preact/signals";
import type { LayoutInfo, LogicalWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import type { CellData } from "../../grid/cells";
import type { CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import { windowSpec } from "../../ui/axes";
import { isCountable } from "./model";
import { createSession, type LayoutSession, readLogical } from "./session";

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

/** Cells of the logical array as "from → to"; elements that stay have one number and no colour. */
export function comparedCells(cells: CellData, to: LogicalWindow): CellData {
  const text = [...cells.text];
  const tint = new Int32Array(cells.tint.length).fill(-1);
  for (let i = 0; i < text.length; i++) {
    const after = to.offsets[i] ?? -1;
    if (!text[i] || after < 0 || text[i] === String(after)) continue;
    text[i] = `${text[i]}→${after}`;
    tint[i] = 1;
  }
  return { ...cells, text, tint, heat: null };
}

/** Cells of the logical array with both offsets, and what those of the first were made of. */
export async function readCompared(
  first: LayoutSession,
  second: LayoutSession,
  app: App,
  rect: CellRect,
) {
  const info = second.info.peek();
  if (!info?.ok) return null;
  const spec = windowSpec(first.axes.peek(), rect);
  const [read, to] = await Promise.all([
    readLogical(first, app, rect, "offset"),
    app.engines.typing.call("logicalWindow", [info.subject, spec]),
  ]);
  return read ? { cells: comparedCells(read.cells, to), answer: read.answer } : null;
}

/** The same, kept for hovering. */
export async function loadCompared(
  first: LayoutSession,
  second: LayoutSession,
  app: App,
  rect: CellRect,
): Promise<CellData | null> {
  const read = await readCompared(first, second, app, rect);
  if (!read) return null;
  first.logical = { rect, answer: read.answer };
  return read.cells;
}
