/** Below a picture of a value: what is pointed at, and what is selected, which is read out. */
import type { ComponentChildren, JSX } from "preact";

interface SpotLineProps {
  class?: string;
  /** Seen: of what is pointed at, or else selected. */
  shown: string;
  /** Heard when it changes: of what is selected. */
  spoken: string;
  children?: ComponentChildren;
}

export function SpotLine({
  class: own = "spot-line",
  shown,
  spoken,
  children,
}: SpotLineProps): JSX.Element {
  return (
    <p class={own}>
      <span aria-hidden="true">{shown}</span>
      <span class="visually-hidden" aria-live="polite">
        {spoken}
      </span>
      {children}
    </p>
  );
}
