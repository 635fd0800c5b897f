/** What a view about a run says before there is one. */
import type { JSX } from "preact";
import { openOverlay } from "../app/actions";
import type { App } from "../app/app";
import { isProgramKind } from "../app/state";
import { words } from "../strings";
import { Empty } from "../ui/Empty";

/** The way to the errors of the program; null where it has none, or the text is no program. */
export function wayToFaults(app: App): JSX.Element | null {
  const check = app.state.check.value;
  const faults = check?.diagnostics.filter(({ severity }) => severity === "error").length ?? 0;
  const isProgram = isProgramKind(check?.kind);
  if (!isProgram || faults === 0) return null;
  return (
    <Empty
      sentence={words.faultyProgram.sentence(faults)}
      action={words.faultyProgram.action}
      onAction={() => openOverlay(app, "problems")}
    />
  );
}

/** What will be here, and what starts the run; of a program with errors, the way to them. */
export function BeforeRun({
  app,
  ...offer
}: {
  app: App;
  sentence: string;
  action: string;
  onAction(): void;
}): JSX.Element {
  return wayToFaults(app) ?? <Empty {...offer} />;
}
