/**
 * The heading of a column in a cell of a list of rows, for those who hear a row: an option of a list
 * has no column headers that a screen reader would read with its figures.
 */
import type { JSX } from "preact";

export function Heading({ of }: { of: string }): JSX.Element {
  return <span class="visually-hidden">{`${of} `}</span>;
}

/** The cells of a row that hold numbers, each under the heading of its column. */
export function NumberCells<Column extends string>(props: {
  class: string;
  headings: Readonly<Record<Column, string>>;
  numbers: readonly (readonly [Column, string | number])[];
}): JSX.Element {
  return (
    <>
      {props.numbers.map(([column, text]) => (
        <span key={column} class={`cell ${props.class}`}>
          <Heading of={props.headings[column]} />
          {text}
        </span>
      ))}
    </>
  );
}
