/** Asks for a picture when what is looked at changes: first its boxes, then their places. */
import { batch, type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GraphModel, GraphOptions } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { isAbort } from "../../app/engine_link";
import { type Layouter, WorkerLayouter } from "../../graph/layouter";
import { placeKey, takePlaces, toPlace } from "../../graph/placing";
import { programKey } from "../../ui/answer";
import type { GraphSession, ShownGraph } from "./session";

const RETRY_MS = 500;

/** The question of the view. */
export function optionsOf(app: App, session: GraphSession): GraphOptions {
  const { computation, name } = app.state.focus.value;
  const { from, to, all } = session.path.value;
  return {
    computation: session.root.value,
    ...(name ? { focus: { computation, name } } : {}),
    reveal: session.reveals.value,
    radius: session.radius.value,
    open: session.open.value ?? [],
    fold: session.fold.value,
    ...(from && to ? { path: { from, to, all } } : {}),
  };
}

/** What is open in a picture, which is more than what was asked for if it revealed something. */
export function openIn({ boxes }: GraphModel): string[] {
  return boxes.flatMap((box) => (box.isOpen && box.kind !== "computation" ? box.id : []));
}

/** So many boxes are enough for a beginning. */
const ENOUGH = 40;

/**
 * A picture that would be of groups alone has some of them open: the one that the selected instruction
 * is in, or the first, and those that follow it. Ids that the picture does not have are of another program.
 */
async function begun(
  model: GraphModel,
  options: GraphOptions,
  ask: (options: GraphOptions) => Promise<GraphModel>,
): Promise<GraphModel> {
  if (model.isWhole || openIn(model).length > 0) return model;
  let next = model;
  while (next.boxes.length < ENOUGH) {
    const from = next.focus?.box ?? 0;
    const groups = next.boxes.flatMap((box, i) => {
      const isNoneToOpen = box.parent >= 0 || box.isOpen || box.hasNoRoom;
      return box.kind === "group" && box.why === "stretch" && !isNoneToOpen
        ? { id: box.id, isBefore: i < from }
        : [];
    });
    const group = groups.find(({ isBefore }) => !isBefore) ?? groups[0];
    if (!group) break;
    const opened = await ask({ ...options, open: [...openIn(next), group.id] });
    if (opened.boxes.length <= next.boxes.length) break;
    next = opened;
  }
  return next;
}

/** What is equal stays the same object, so that nothing is drawn anew. */
function sameParts(before: GraphModel, model: GraphModel): GraphModel {
  const kept = <T>(old: T, now: T): T => (JSON.stringify(old) === JSON.stringify(now) ? old : now);
  return {
    ...model,
    edges: kept(before.edges, model.edges),
    boxes: kept(before.boxes, model.boxes),
  };
}

export interface Asking {
  /** A picture is being made. */
  busy: Signal<boolean>;
  /** The last one could not be laid out. */
  failed: Signal<boolean>;
  again(): void;
}

/** What a picture is asked for. */
interface Question {
  text: string;
  options: GraphOptions;
  /** It opens some groups itself. */
  begins: boolean;
}

interface MadePicture {
  shown: ShownGraph;
  /** It opened groups that were not asked for. */
  isBegun: boolean;
}

/** Asks for a picture's boxes, then for their places, unless they are where they were; null once nobody waits for it. */
async function pictureOf(
  app: App,
  { text, options, begins }: Question,
  layouter: Layouter | null,
  last: () => ShownGraph | null,
  isCurrent: () => boolean,
): Promise<MadePicture | null> {
  const ask = (about: GraphOptions): Promise<GraphModel> =>
    app.engines.typing.call("graph", [text, about]);
  const closed = await ask(options);
  if (!closed.ok || !isCurrent()) return null;
  const model = begins ? await begun(closed, options, ask) : closed;
  if (!isCurrent()) return null;
  const isBegun = model !== closed;
  const before = last();
  if (before && placeKey(before.model) === placeKey(model)) {
    const parts = sameParts(before.model, model);
    return { shown: { model: parts, placed: before.placed, text }, isBegun };
  }
  const answer = await layouter?.place(toPlace(model));
  return answer ? { shown: { model, placed: takePlaces(model, answer), text }, isBegun } : null;
}

/** Who lays pictures out, for as long as the view is there; ready early where there is a program. */
function useLayouter(create: () => Layouter, isProgram: boolean): { current: Layouter | null } {
  const layouter = useRef<Layouter | null>(null);
  useEffect(() => {
    layouter.current ??= create();
    const places = layouter.current;
    return () => places.end();
  }, []);
  // While the engine still says what is to be laid out.
  useEffect(() => {
    if (isProgram) layouter.current?.start();
  }, [isProgram]);
  return layouter;
}

/** Shows a picture that has come; from then on open is what it opened. */
function take(session: GraphSession, { shown, isBegun }: MadePicture, reveals: boolean): void {
  session.shown.value = shown;
  if (!reveals && !isBegun) return;
  session.open.value = openIn(shown.model);
  session.reveals.value = false;
}

/** A picture that takes longer than so many milliseconds is said to be under way. */
const BUSY_MS = 300;

/** Keeps the session's picture that of what is looked at; there is none where the text is no program. */
export function useGraph(
  app: App,
  session: GraphSession,
  isProgram: boolean,
  create: () => Layouter = () => new WorkerLayouter(),
): Asking {
  const busy = useSignal(false);
  const failed = useSignal(false);
  const tries = useSignal(0);
  const layouter = useLayouter(create, isProgram);
  const again = (): void => {
    tries.value++;
  };
  const text = app.state.text.value;
  const options = optionsOf(app, session);
  // Who closed everything wants it closed.
  const begins = session.open.value?.length !== 0 && session.radius.value < 0;
  const key = isProgram ? JSON.stringify([programKey(app), options, begins, tries.value]) : "";
  useEffect(() => {
    if (!isProgram) {
      batch(() => {
        session.shown.value = null;
        busy.value = false;
        failed.value = false;
      });
      return;
    }
    let current = true;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const timer = setTimeout(() => {
      busy.value = true;
    }, BUSY_MS);
    const done = (): void => {
      clearTimeout(timer);
      if (current) busy.value = false;
    };
    const question = { text, options, begins };
    const last = (): ShownGraph | null => session.shown.peek();
    pictureOf(app, question, layouter.current, last, () => current).then(
      (made) => {
        done();
        if (!current) return;
        batch(() => {
          failed.value = false;
          if (made) take(session, made, options.reveal === true);
        });
      },
      (error: unknown) => {
        done();
        if (!current) return;
        if (!isAbort(error)) failed.value = true;
        // The engine was replaced, for a text that was there in between.
        else retry = setTimeout(again, RETRY_MS);
      },
    );
    return () => {
      clearTimeout(timer);
      clearTimeout(retry);
      current = false;
    };
  }, [key]);
  return { busy, failed, again };
}
