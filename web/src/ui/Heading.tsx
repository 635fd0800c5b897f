/**
 * The heading of a column in a cell of a list of rows, for those who hear a row: an option of a list
 * has no column headers that a screen reader would read with its figures.
 */
import type { JSX } from "preact";

export function Heading({ of }: { of: string }): JSX.Element {
  return <span class="visually-hidden">{`${of} `}</span>;
}
