/** The signs of moves through a run, in the look of `ui/Icon.tsx`. */
import type { JSX } from "preact";

const DOT = "M6.800 13a1.200 1.200 0 1 0 2.400 0a1.200 1.200 0 1 0-2.400 0z";
const SIGNS = {
  end: { path: "M3.500 3.500L10 8l-6.500 4.500zM12.500 3v10", back: false },
  start: { path: "M3.500 3.500L10 8l-6.500 4.500zM12.500 3v10", back: true },
  continue: { path: "M2.500 3.500L8 8l-5.500 4.500zM8.500 3.500L14 8l-5.500 4.500z", back: false },
  "back-continue": {
    path: "M2.500 3.500L8 8l-5.500 4.500zM8.500 3.500L14 8l-5.500 4.500z",
    back: true,
  },
  over: {
    path: `M2.500 9.500a5.600 5.600 0 0 1 10.500-2M13.500 3.500v4.300H9.200${DOT}`,
    back: false,
  },
  "back-over": {
    path: `M2.500 9.500a5.600 5.600 0 0 1 10.500-2M13.500 3.500v4.300H9.200${DOT}`,
    back: true,
  },
  into: { path: `M8 2v7M4.800 6.200L8 9.400l3.200-3.200${DOT}`, back: false },
  out: { path: `M8 10V2.500M4.800 5.700L8 2.500l3.200 3.200${DOT}`, back: false },
  "back-into": { path: `M3 8h9.500M8.500 4l4 4l-4 4`, back: true },
  "back-out": {
    path: "M3 12.500h4.500a3 3 0 0 0 3-3V3M7.300 6.200L10.500 3l3.200 3.200",
    back: true,
  },
} as const;

export type Jump = keyof typeof SIGNS;

export function Sign({ jump }: { jump: Jump }): JSX.Element {
  const { path, back } = SIGNS[jump];
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} transform={back ? "matrix(-1 0 0 1 16 0)" : undefined} />
    </svg>
  );
}
