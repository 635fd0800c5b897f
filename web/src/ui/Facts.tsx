/** Names and values. */
import type { JSX } from "preact";

export type Fact = readonly [name: string, value: string];

/** `class`: "facts" is horizontal, "fact-list" vertical. */
export function Facts(props: {
  class: "facts" | "fact-list";
  facts: readonly Fact[];
}): JSX.Element {
  return (
    <dl class={props.class}>
      {props.facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
