/**
 * A name in a column of them, such as `%get-tuple-element.1234`. Names of a dump differ in their last
 * characters, so of a long one both ends are seen.
 */
import type { JSX } from "preact";
import "../styles/lists.css";

/** What has no more letters is never cut; on a narrow screen that is less. */
const MOST = { wide: 34, narrow: 23 };
const LAST = 10;

export const mostLetters = (isNarrow: boolean): number => (isNarrow ? MOST.narrow : MOST.wide);

/** Both ends of a name that has too many letters. */
export function bothEnds(name: string, most: number): string {
  if (name.length <= most) return name;
  return `${name.slice(0, most - LAST - 1)}…${name.slice(-LAST)}`;
}

export function Name({ name, most }: { name: string; most: number }): JSX.Element {
  if (name.length <= most) return <>{name}</>;
  return (
    <>
      <span aria-hidden="true" title={name}>
        {bothEnds(name, most)}
      </span>
      <span class="visually-hidden">{name}</span>
    </>
  );
}

/** The style of a list: its column of names is as wide as the widest, which has so many letters. */
export const lettersStyle = (letters: readonly number[]): { "--letters": number } => ({
  "--letters": letters.reduce((most, each) => Math.max(most, each), 0),
});
