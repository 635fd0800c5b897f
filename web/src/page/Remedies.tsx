/** What helps against the fault of a run: a button each. */
import type { JSX } from "preact";
import type { RunRemedy } from "../../../wasm/engine_api";
import type { App } from "../app/app";
import { applyRemedy, remedyLabel } from "../app/rewrites";

export function Remedies(props: { app: App; remedies: readonly RunRemedy[] }): JSX.Element {
  return (
    <div class="remedies">
      {props.remedies.map((remedy) => (
        <button key={remedy.kind} type="button" onClick={() => void applyRemedy(props.app, remedy)}>
          {remedyLabel(remedy)}
        </button>
      ))}
    </div>
  );
}
