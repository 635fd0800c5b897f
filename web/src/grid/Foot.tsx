/** Below a grid: buttons that zoom, and where in the whole one is. They never cover a cell. */
import type { ComponentChildren, JSX } from "preact";
import { words } from "../strings";
import { Icon } from "../ui/Icon";
import { Overview } from "./Overview";
import type { Viewport } from "./viewport";

const ZOOM_STEP = 1.25;
export const zoomKeys: Record<string, number> = {
  "+": ZOOM_STEP,
  "=": ZOOM_STEP,
  "-": 1 / ZOOM_STEP,
};
const buttons = [
  { name: "minus" as const, label: words.grid.zoomOut, by: 1 / ZOOM_STEP },
  { name: "plus" as const, label: words.grid.zoomIn, by: ZOOM_STEP },
];

interface FootProps {
  grid: string;
  view: Viewport;
  scrolls: boolean;
  children?: ComponentChildren;
  onZoom(factor: number): void;
  onScroll(view: Viewport): void;
}

export function Foot(props: FootProps): JSX.Element {
  return (
    <div class="grid-foot">
      {props.children}
      <div class="zoom">
        {buttons.map(({ name, label, by }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-label={label}
            title={label}
            aria-controls={props.grid}
            onClick={() => props.onZoom(by)}
          >
            <Icon name={name} />
          </button>
        ))}
      </div>
      {props.scrolls && <Overview view={props.view} onScroll={props.onScroll} />}
    </div>
  );
}
