/** What stands where a figure will be. */
import type { JSX } from "preact";
import { figureWords } from "./words";

export function Pending({ failed }: { failed: boolean }): JSX.Element {
  return (
    <p class={failed ? "empty" : "muted"}>{failed ? figureWords.failed : figureWords.loading}</p>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  names: Record<T, string>;
  value: T;
  onChange(value: T): void;
}

/** One of a few words. */
export function Choice<T extends string>(props: ChoiceProps<T>): JSX.Element {
  return (
    <label class="check">
      {props.label}
      <select
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {(Object.keys(props.names) as T[]).map((id) => (
          <option key={id} value={id}>
            {props.names[id]}
          </option>
        ))}
      </select>
    </label>
  );
}
