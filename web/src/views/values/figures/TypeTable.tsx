/** What one element is in each type: a table with a row for each. */
import type { ComponentChildren, JSX } from "preact";

export function TypeTable(props: {
  label: string;
  columns: readonly string[];
  children: ComponentChildren;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="figure-scroll" tabIndex={0} aria-label={props.label}>
      <table class="figure-table bit-types">
        <thead>
          <tr>
            {props.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}
