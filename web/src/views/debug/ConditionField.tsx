/** A box for a condition on steps: it says how the condition may go on, and what is wrong with it. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { debugRun } from "./run";
import { debugSession } from "./session";

export function ConditionField(props: {
  app: App;
  id: string;
  label: string;
  hint: string;
  text: Signal<string>;
}): JSX.Element {
  const { app, id, label, hint, text } = props;
  const { recorded, phase } = debugSession(app);
  const isReady = phase.value === "ready";
  const answer = useAnswer(`${recorded.value} ${isReady} ${text.value}`, () =>
    isReady ? debugRun(app).ask({ what: "condition", text: text.value }) : null,
  ).value;
  const fault = text.value.trim() ? (answer?.fault ?? "") : "";
  return (
    <>
      <input
        type="text"
        class="mono"
        aria-label={label}
        aria-invalid={fault !== ""}
        aria-describedby={fault ? `${id}-fault` : undefined}
        placeholder={hint}
        title={hint}
        list={`${id}-list`}
        spellcheck={false}
        autocomplete="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <datalist id={`${id}-list`}>
        {(answer?.completions ?? []).map((completion) => (
          <option key={completion.text} value={completion.text}>
            {completion.about}
          </option>
        ))}
      </datalist>
      {fault && (
        <p class="debug-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}
