/** A list of errors, each a link to its place in the program. */
import type { JSX } from "preact";
import type { Diagnostic } from "../../../wasm/engine_api";
import type { App } from "../app/app";

const MOST_SHOWN = 8;

export function FaultList(props: {
  app: App;
  title: string;
  faults: readonly Diagnostic[];
}): JSX.Element {
  const { app } = props;
  return (
    <div class="run-faults" role="alert">
      <strong>{props.title}</strong>
      <ul>
        {props.faults.slice(0, MOST_SHOWN).map((fault, i) => (
          <li key={i}>
            <button type="button" onClick={() => app.editor?.goTo(fault.range, true)}>
              {fault.message}
            </button>
            {fault.notes
              .filter(({ range: [begin, end] }) => begin < end)
              .map((note, j) => (
                <button
                  key={j}
                  type="button"
                  class="fault-note"
                  onClick={() => app.editor?.goTo(note.range, true)}
                >
                  {note.message}
                </button>
              ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
