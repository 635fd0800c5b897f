/** The list of completions as one types, by an engine that takes its time. */
import { completionStatus, currentCompletions } from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { assist } from "../../web/src/editor/assist";
import { engine } from "./engine";

const BEFORE = "ENTRY e {\n  a = f32[2] parameter(0)\n  b = f32[2]";

afterEach(() => vi.useRealTimers());

it("a word typed while an empty answer is awaited is completed", async () => {
  vi.useFakeTimers();
  const answers: (() => void)[] = [];
  const call = (_method: string, args: [string, number]): Promise<unknown> =>
    new Promise((resolve) => {
      answers.push(() => resolve(engine.complete(...args)));
    });
  const app = { engines: { typing: { call } } } as unknown as App;
  const view = new EditorView({ doc: BEFORE, extensions: assist(app) });
  const type = (text: string): void => {
    const at = view.state.doc.length;
    view.dispatch({
      changes: { from: at, insert: text },
      selection: { anchor: at + text.length },
      userEvent: "input.type",
    });
  };
  const answer = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(200);
    for (const next of answers.splice(0)) next();
    await vi.advanceTimersByTimeAsync(200);
  };
  view.dispatch({ selection: { anchor: BEFORE.length } });
  type(" ");
  await vi.advanceTimersByTimeAsync(200);
  for (const letter of "reduce") type(letter);
  await answer();
  expect(completionStatus(view.state)).toBe("pending");
  await answer();
  expect(currentCompletions(view.state)[0]?.label).toBe("reduce");
  view.destroy();
});
