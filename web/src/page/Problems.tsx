/** All that is wrong with the program, in a list. */
import type { JSX } from "preact";
import { showPart } from "../app/actions";
import type { App } from "../app/app";
import { faultsOf } from "../app/belonging";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";
import { FaultList } from "./FaultList";
import { faultWords } from "./words";

export function Problems({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  const faults = faultsOf(app.state);
  return (
    <Dialog label={faultWords.title} class="problems" heading onClose={onClose}>
      {faults.length === 0 ? (
        <p class="empty">{words.editor.noFaults}</p>
      ) : (
        <FaultList
          app={app}
          text={app.state.text.value}
          faults={faults}
          onGo={() => {
            onClose();
            showPart(app, "program");
          }}
        />
      )}
    </Dialog>
  );
}
