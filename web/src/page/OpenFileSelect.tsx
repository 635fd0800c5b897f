/** A list of the open files to choose another program from. */
import type { JSX } from "preact";
import { notify } from "../app/actions";
import type { App } from "../app/app";
import { type OpenProgram, openPrograms, readOpenFile, shownFile } from "../app/open_files";
import type { OtherProgram } from "../app/other_program";

export function OpenFileSelect(props: {
  app: App;
  label: string;
  /** What is chosen; it need not be an open file. */
  other: OtherProgram | null;
  /** What the list says while nothing is chosen. */
  none: string;
  onChoose(other: OtherProgram, file: OpenProgram): void;
}): JSX.Element | null {
  const { app, other } = props;
  const fileTabs = app.state.fileTabs.value;
  const shown = shownFile(fileTabs)?.name;
  const files = openPrograms(fileTabs).filter(
    ({ name, title }) => name !== shown || title === other?.name,
  );
  const chosen = files.find(({ title }) => title === other?.name);
  const choose = (name: string): void => {
    const file = files.find((each) => each.name === name);
    if (!file) return;
    readOpenFile(app, name).then(
      (text) => props.onChoose({ name: file.title, text }, file),
      (error: Error) => notify(app, error.message, "error"),
    );
  };
  if (files.length === 0) return null;
  return (
    <select
      class="open-file-select"
      aria-label={props.label}
      title={other?.name}
      value={chosen?.name ?? ""}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {!chosen && <option value="">{other?.name ?? props.none}</option>}
      {files.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
