/** What a view about a whole program says while it has nothing to show. */
import type { JSX } from "preact";
import { openOverlay } from "../app/actions";
import type { App } from "../app/app";
import { isProgramKind } from "../app/state";
import { Empty } from "../ui/Empty";
import { programFaults } from "./BeforeRun";
import { suggested } from "./suggested";
import { emptyWords } from "./words";

interface Props {
  app: App;
  /** What will be here. */
  sentence: string;
  /** Whether the answer about the program that is there has come, and was none. */
  isRefused: boolean;
}

/**
 * Nothing is offered that would replace a program: for one with errors there are those, and for one
 * whose answer is under way a word that it is.
 */
export function NoAnswerYet({ app, sentence, isRefused }: Props): JSX.Element {
  const check = app.state.check.value;
  const isProgram = isProgramKind(check?.kind);
  const faults = programFaults(app);
  if (faults) return faults;
  if (app.state.text.value !== "" && !isRefused && (isProgram || check === null)) {
    return (
      <p class="empty is-coming" role="status">
        {emptyWords.coming}
      </p>
    );
  }
  return (
    <Empty
      sentence={sentence}
      action={emptyWords.anExample}
      onAction={() => {
        suggested(app).value = app.state.view.peek();
        openOverlay(app, "examples");
      }}
    />
  );
}
