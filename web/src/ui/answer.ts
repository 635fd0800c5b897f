/** The engine's answer to a question that changes: only the answer to the last question counts. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../app/app";

/** What an answer about programs depends on: their texts, and the types of what has open sizes. */
export const textsKey = ({ state }: App, ...texts: string[]): string =>
  `${state.openInputs.value}${texts.join("\n\n")}`;

/** The same for the program of the page. */
export const programKey = (app: App): string => textsKey(app, app.state.text.value);

/**
 * Asks when `key` changes. Null until the first answer, if there is no question, and after a
 * failure; while the next answer is pending the last one is kept.
 */
export function useAnswer<T>(key: string, ask: () => Promise<T> | null): Signal<T | null> {
  const answer = useSignal<T | null>(null);
  useEffect(() => {
    const question = ask();
    if (!question) {
      answer.value = null;
      return;
    }
    let current = true;
    const take = (value: T | null): void => {
      if (current) answer.value = value;
    };
    question.then(take, () => take(null));
    return () => {
      current = false;
    };
  }, [key]);
  return answer;
}
