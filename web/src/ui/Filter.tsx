/** The field above a list that narrows it while a person types. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import "../styles/lists.css";
import { Empty } from "./Empty";
import { filterWords } from "./words";

export function Filter({ label, text }: { label: string; text: Signal<string> }): JSX.Element {
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
    />
  );
}

/** In the place of a list of which the filter leaves nothing: it may be from another program. */
export function NoMatch({
  text,
  sentence,
}: {
  text: Signal<string>;
  sentence: string;
}): JSX.Element {
  const clear = (): void => {
    text.value = "";
  };
  return <Empty sentence={sentence} action={filterWords.clear} onAction={clear} />;
}
