/** The open file before the one that is shown, which a program is compared with of itself. */
import { useEffect } from "preact/hooks";
import type { App } from "../../app/app";
import { pairsAround, readOpenFile, shownFile } from "../../app/open_files";
import type { OtherProgram } from "../../app/other_program";
import { words } from "../../strings";
import { useAnswer } from "../../ui/answer";
import { compareSession } from "./session";
import { compareWords } from "./words";

interface Opened {
  file: string;
  program: OtherProgram;
  /** Why it could not be read; "" where it was. */
  problem: string;
}

export const isSame = (a: OtherProgram | null, b: OtherProgram | null): boolean =>
  a?.name === b?.name && a?.text === b?.text;

/** What the program in the editor is called. */
export function shownTitle(app: App): string {
  return shownFile(app.state.fileTabs.value)?.title ?? compareWords.afterName;
}

/** What a version that is kept is called. */
export function keptName(app: App): string {
  const shown = shownFile(app.state.fileTabs.peek());
  return (shown ? `${shown.title}, ` : "") + words.compare.earlier;
}

/** The file before the shown one once it is read; null where there is none. */
export function useOpened(app: App): Opened | null {
  const { opened, before, compareWith } = compareSession(app);
  const { here } = pairsAround(app.state.fileTabs.value);
  const file = here?.before;
  const tab = app.state.fileTabs.value?.tabs.find(({ name }) => name === file?.name);
  const answer = useAnswer(file ? `${file.name}\n${tab?.text ?? ""}` : "", () => {
    if (!file) return null;
    const { name, title } = file;
    return readOpenFile(app, name).then(
      (text): Opened => ({ file: name, program: { name: title, text }, problem: "" }),
      (error: Error) => ({
        file: name,
        program: { name: title, text: "" },
        problem: error.message,
      }),
    );
  }).value;
  const found = answer && answer.file === file?.name ? answer : null;
  const program = found && !found.problem ? found.program : null;
  const other = before.value;
  useEffect(() => {
    opened.value = program;
    // What a link or an earlier visit says is what would be compared anyway.
    if (program && other && isSame(program, other)) compareWith(null);
    return () => {
      opened.value = null;
    };
  }, [program, other]);
  return found;
}
