import type { JSX } from "preact";

/** The head of the arrows of a picture, which name it by `url(#id)`; its colour is that of the class of its id. */
export function ArrowHead({ id, size }: { id: string; size: number }): JSX.Element {
  return (
    <defs>
      <marker
        id={id}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth={size}
        markerHeight={size}
        orient="auto"
        markerUnits="userSpaceOnUse"
      >
        <path d="M0 0L8 4L0 8z" class={id} />
      </marker>
    </defs>
  );
}
