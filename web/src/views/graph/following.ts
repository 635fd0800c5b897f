/** Where a graph is on the screen: what was looked at stays where it was, what is selected is brought there. */
import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../../app/app";
import { boxAtKeys, toggle } from "./doing";
import type { GraphSession, ShownGraph } from "./session";
import { anchored, fitted, opening, type Size, showing, type ViewPort } from "./view_port";

/** Where the next picture is put: what was selected, or in the middle, stays where it was. */
function followed(
  before: ShownGraph,
  after: ShownGraph,
  view: ViewPort,
  screen: Size,
  selected: string,
): ViewPort {
  const middle = {
    x: view.x + screen.width / view.scale / 2,
    y: view.y + screen.height / view.scale / 2,
  };
  const indices = new Map(after.model.boxes.map(({ id }, i) => [id, i]));
  let best: ViewPort | null = null;
  let nearest = Infinity;
  for (const [i, { id }] of before.model.boxes.entries()) {
    const [from, to] = [before.placed.boxes[i], after.placed.boxes[indices.get(id) ?? -1]];
    if (!from || !to) continue;
    const away = Math.hypot(from.x + from.width / 2 - middle.x, from.y - middle.y);
    if (id !== selected && away >= nearest) continue;
    best = anchored(view, from, to);
    nearest = away;
    if (id === selected) break;
  }
  return best ?? opening(after.placed, screen);
}

/** The screen that pictures are seen on, one after the other. */
export interface Stage {
  view: Signal<ViewPort>;
  screen: Signal<Size>;
}

/** Puts every new picture where the one before it was, and opens that of another part of the program. */
export function useFollowing(session: GraphSession, { view, screen }: Stage): void {
  const last = useRef<ShownGraph | null>(null);
  const lastPart = useRef("");
  useSignalEffect(() => {
    const now = session.shown.value;
    const before = last.current;
    const size = screen.peek();
    if (!now || size.width === 0 || before?.placed === now.placed) return;
    last.current = now;
    const index = boxAtKeys(session);
    const id = now.model.boxes[index]?.id ?? "";
    // Another part of the program is another picture.
    const part = `${now.model.computation} ${session.radius.peek()}`;
    const isOther = lastPart.current !== part;
    lastPart.current = part;
    view.value =
      before && !isOther ? followed(before, now, view.peek(), size, id) : opening(now.placed, size);
    const box = now.placed.boxes[index];
    if (box && !now.model.boxes[index]?.isOpen) view.value = showing(view.peek(), box, size);
  });
}

/** Lets commands move the picture; `at` is the index of the box that keys start from. */
export function useHandle(
  session: GraphSession,
  { view, screen }: Stage,
  at: ReadonlySignal<number>,
): void {
  useEffect(() => {
    session.picture = {
      fit: () => {
        const { placed } = session.shown.peek() ?? {};
        if (placed) view.value = fitted(placed, screen.peek());
      },
      focus: () => document.querySelector<HTMLElement>(".graph-stage")?.focus(),
      toggle: () => {
        const model = session.shown.peek()?.model;
        if (model) toggle(session, model, at.peek());
      },
    };
    return () => {
      session.picture = null;
    };
  }, []);
}

/** What is selected elsewhere is brought onto the screen, and is where the keys start from. */
export function useSelected(
  app: App,
  session: GraphSession,
  { view, screen }: Stage,
  at: ReadonlySignal<number>,
): void {
  const focus = useComputed(() => {
    const { computation, name } = app.state.focus.value;
    return `${computation}/${name}`;
  });
  useSignalEffect(() => {
    void focus.value;
    const model = session.shown.peek()?.model;
    const own = model?.boxes.find(({ id }) => id === session.at.peek());
    const isOwn = own?.kind === "instruction" && `${own.computation}/${own.name}` === focus.value;
    if (!isOwn && own?.kind === "instruction") session.at.value = "";
  });
  useSignalEffect(() => {
    const box = session.shown.value?.placed.boxes[at.value];
    const isOpen = session.shown.peek()?.model.boxes[at.value]?.isOpen;
    if (box && !isOpen) view.value = showing(view.peek(), box, screen.peek());
  });
}
