/** The array that an input is, made by the engine for as long as it is looked at. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MadeInput, RunOptions } from "../../../wasm/engine_api";
import type { App } from "../app/app";
import { engineInputs, gridOf } from "../app/device_inputs";
import { engineSettings } from "../app/settings";

/** Seconds that making it may take: the typing waits for so long. */
const MOST_SECONDS = 3;

function optionsFor(app: App, at: number, base: string): RunOptions {
  const { inputs, settings, check } = app.state;
  const texts = inputs.value.map(({ text }) => text);
  while (texts.length <= at) texts.push("");
  const grid = gridOf(check.value, settings.value);
  const shared = engineInputs(texts, grid).inputs;
  shared[at] = base;
  const file = inputs.value[at]?.file;
  return {
    ...engineSettings(settings.value),
    inputs: shared,
    ...(file ? { files: [{ parameter: at, bytes: file.bytes }] } : {}),
    timeLimit: Math.min(settings.value.timeLimit, MOST_SECONDS),
  };
}

/** The input without the elements that are written over; null until it is made. */
export function useMade(app: App, at: number, base: string): MadeInput | null {
  const made = useSignal<MadeInput | null>(null);
  const { text, inputs, settings } = app.state;
  const file = inputs.value[at]?.file;
  useEffect(() => {
    let current = true;
    let handle = 0;
    const { typing } = app.engines;
    const release = (): void => {
      if (handle) typing.call("release", [handle]).catch(() => undefined);
    };
    typing.call("makeInput", [text.value, optionsFor(app, at, base), at]).then(
      (answer) => {
        handle = answer.handle;
        if (current) made.value = answer;
        else release();
      },
      () => undefined,
    );
    return () => {
      current = false;
      made.value = null;
      release();
    };
  }, [text.value, base, at, file, settings.value.seed]);
  return made.value;
}
