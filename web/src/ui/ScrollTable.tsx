/** A table with named columns in a box that scrolls, by keyboard too. */
import type { ComponentChildren, JSX } from "preact";

interface ScrollTableProps {
  label: string;
  /** "" is a column of controls, which needs no name. */
  columns: readonly string[];
  class: string;
  /** Rows of the whole list, where only a part of them is here. */
  count?: number;
  onScroll?(box: HTMLElement): void;
  /** The rows. */
  children: ComponentChildren;
}

export function ScrollTable(props: ScrollTableProps): JSX.Element {
  const { label, columns, children, count } = props;
  return (
    <section
      class={props.class}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      onScroll={(event) => props.onScroll?.(event.currentTarget)}
    >
      <table {...(count === undefined ? {} : { "aria-rowcount": count + 1 })}>
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
