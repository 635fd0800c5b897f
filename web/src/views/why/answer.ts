/** The answer that the view shows: asked for when the question changes, while the newest one counts. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { WhyResult, WhyRow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { isAbort } from "../../app/engine_link";
import type { Results } from "../../app/state";
import {
  askWhy,
  cancelWhy,
  elementName,
  indexText,
  selectedElement,
  selectRow,
} from "../../why/asking";
import { mark, marksOf } from "../../why/marks";
import { whySession } from "../../why/session";
import { whyWords } from "../../why/words";

/** Milliseconds after which a question that nobody waits for any more is cancelled, not awaited. */
const LONG = 1000;

/** What the marks of an answer are called. */
function titleOf({ rows, reach }: WhyResult): string {
  const row = rows[0];
  const [reached] = reach?.rows ?? [];
  const part = reached?.parts[0];
  if (reached && part) {
    const inside = part.of > 1 ? part.elements : "";
    return whyWords.titleForward(elementName(reached.shown, part.path, inside));
  }
  return row ? whyWords.titleBack(elementName(row.shown, row.path, indexText(row.index))) : "";
}

type Place = Parameters<typeof selectRow>[1];

export interface WhyAnswer {
  /** Null until there is one. */
  made: WhyResult | null;
  /** What is said of it, or why there is none. */
  said: string;
  isBusy: boolean;
  /** The row, or part of a row, that is selected; "" for none. */
  selected: string;
  /** Selects an element of the answer, which stays as it is. */
  select(at: Place, row: string, range?: [number, number]): void;
  /** The next question is a new one, whatever was selected from this answer. */
  askAnew(): void;
}

/** What a question of the session is about; null where no element is selected. */
function questionOf(app: App) {
  const first = whySession(app).first.value;
  const element = selectedElement(app);
  return first ? { first } : element && { element };
}

const reasonOf = (error: unknown): string =>
  isAbort(error)
    ? whyWords.cancelled
    : whyWords.failed(error instanceof Error ? error.message : String(error));

const keyOf = (app: App): string =>
  JSON.stringify([whySession(app).forward.value, questionOf(app)]);

/** What is selected of an answer. */
interface Selecting extends Pick<WhyAnswer, "select" | "askAnew"> {
  selected: Signal<string>;
  /** Where a chain ends its values come from; false where there is none. */
  selectOrigin(rows: readonly WhyRow[]): boolean;
  /** Whether a question is that of an element that was selected from the answer itself. */
  isOwn(key: string): boolean;
}

function useSelecting(app: App): Selecting {
  const selected = useSignal("");
  const own = useRef("");
  const select: WhyAnswer["select"] = (at, row, range) => {
    selectRow(app, at, range);
    selected.value = row;
    if (whySession(app).first.peek() === null) own.current = keyOf(app);
  };
  return {
    selected,
    select,
    selectOrigin(rows) {
      const last = rows.at(-1);
      if (last) select(last, String(rows.length - 1), last.range);
      return last !== undefined;
    },
    isOwn: (key) => own.current === key,
    askAnew() {
      own.current = "";
    },
  };
}

/** Asks about `results` when the session's question or the selected element changes. */
export function useWhyAnswer(app: App, results: Results | null): WhyAnswer {
  const { forward, toOrigin } = whySession(app);
  const answer = useSignal<WhyResult | null>(null);
  const said = useSignal("");
  const busy = useSignal(false);
  const { current: last } = useRef({ turn: 0, since: 0 });
  const { selected, select, selectOrigin, isOwn, askAnew } = useSelecting(app);
  const question = questionOf(app);
  const key = keyOf(app);
  useEffect(() => {
    if (!results || (isOwn(key) && answer.peek())) return;
    askAnew();
    const turn = ++last.turn;
    if (busy.peek() && performance.now() - last.since > LONG) cancelWhy(app);
    last.since = performance.now();
    answer.value = null;
    selected.value = "";
    said.value = question ? "" : whyWords.noElement;
    busy.value = question !== null;
    if (!question) return;
    askWhy(app, results, { ...question, reach: forward.value })
      .then(
        (made) => {
          if (turn !== last.turn) return;
          answer.value = made;
          said.value = made.found?.words ?? made.problem;
          mark(app, marksOf(made, results, titleOf(made)));
          if (toOrigin.peek()) selectOrigin(made.rows);
          toOrigin.value = false;
        },
        (error: unknown) => {
          if (turn === last.turn) said.value = reasonOf(error);
        },
      )
      .finally(() => {
        if (turn === last.turn) busy.value = false;
      });
  }, [results, key]);
  // Asked for again while the answer is there.
  useEffect(() => {
    if (toOrigin.value && selectOrigin(answer.peek()?.rows ?? [])) toOrigin.value = false;
  }, [toOrigin.value]);
  useEffect(
    () => () => {
      last.turn++;
      if (busy.peek()) cancelWhy(app);
    },
    [],
  );
  const { value: made } = answer;
  return { made, said: said.value, isBusy: busy.value, selected: selected.value, select, askAnew };
}
