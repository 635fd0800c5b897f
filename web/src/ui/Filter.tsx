/** The field above a list that narrows it while a person types. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";

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
