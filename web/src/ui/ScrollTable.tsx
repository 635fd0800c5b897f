/** A table with named columns in a box that scrolls, by keyboard too. */
import type { ComponentChildren, JSX } from "preact";

interface ScrollTableProps {
  label: string;
  /** "" is a column of controls, which needs no name. */
  columns: readonly string[];
  class: string;
  /** The rows. */
  children: ComponentChildren;
}

export function ScrollTable({ label, columns, children, ...rest }: ScrollTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={rest.class} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) =>
              name ? (
                <th key={name} scope="col">
                  {name}
                </th>
              ) : (
                <td key={name} />
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
