/** What a view about a run says before there is one. */
import type { JSX } from "preact";
import { showPart } from "../app/actions";
import type { App } from "../app/app";
import { isProgramKind } from "../app/state";
import { words } from "../strings";
import { Empty } from "../ui/Empty";
import { FaultList } from "./FaultList";
import { faultWords } from "./words";

/** The errors of the program, or why the text is none; null where there are none. */
export function programFaults(app: App): JSX.Element | null {
  const check = app.state.check.value;
  const faults = check?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  const isProgram = isProgramKind(check?.kind);
  if ((!isProgram && check?.kind !== "foreign") || faults.length === 0) return null;
  return (
    <FaultList
      app={app}
      text={app.state.checkedText.value}
      title={isProgram ? words.faultyProgram(faults.length) : faultWords.title}
      faults={faults}
      isQuiet
      onGo={() => showPart(app, "program")}
    />
  );
}

/** What will be here, and what starts the run; of a program with errors, those. */
export function BeforeRun({
  app,
  ...offer
}: {
  app: App;
  sentence: string;
  action: string;
  onAction(): void;
}): JSX.Element {
  return programFaults(app) ?? <Empty {...offer} />;
}
