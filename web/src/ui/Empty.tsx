/** The empty state of a view: one sentence and one button. */
import type { JSX } from "preact";

export function Empty(props: { sentence: string; action: string; onAction(): void }): JSX.Element {
  return (
    <div class="empty">
      <p>{props.sentence}</p>
      <button type="button" onClick={() => props.onAction()}>
        {props.action}
      </button>
    </div>
  );
}
