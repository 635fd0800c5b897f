/** A cell with a number of a program, which stands out where it is another one than before. */
import type { JSX } from "preact";

export function Count(props: { was: number; now: number; print(n: number): string }): JSX.Element {
  const { was, now, print } = props;
  return (
    <td class="number" title={was === now ? "" : `${print(was)} → ${print(now)}`}>
      {was === now ? <span class="muted">{print(now)}</span> : <strong>{print(now)}</strong>}
    </td>
  );
}
