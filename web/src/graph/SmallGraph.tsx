/** A picture of a graph that is looked at as a whole: it fits its frame, and boxes can be chosen. */
import type { JSX } from "preact";
import type { GraphBox, GraphModel } from "../../../wasm/engine_api";
import { fittingLines, headOf, LINE, type Placed, pathOf } from "./placing";
import "./small_graph.css";

/** Smaller than so, what is written cannot be read: the picture scrolls instead. */
const LEAST_SCALE = 0.55;

interface SmallGraphProps {
  label: string;
  model: GraphModel;
  placed: Placed;
  /** A class for a box, by what happened to it; "" for none. */
  mark(box: GraphBox): string;
  /** Drawn as the one that is looked at. */
  isFocus(box: GraphBox): boolean;
  onSelect(box: GraphBox): void;
}

export function SmallGraph(props: SmallGraphProps): JSX.Element {
  const { model, placed } = props;
  const width = Math.max(1, placed.width);
  const height = Math.max(1, placed.height);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="small-graph" tabIndex={0} aria-label={props.label}>
      <svg
        role="img"
        aria-label={props.label}
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        style={{ minWidth: `${Math.round(width * LEAST_SCALE)}px`, maxWidth: `${width + 8}px` }}
      >
        {model.boxes.map((box, i) => {
          const place = placed.boxes[i];
          if (!place) return null;
          const lines = box.isOpen ? [headOf(box)] : fittingLines(box);
          const state = `${box.isOpen ? "is-open" : ""} ${props.isFocus(box) ? "is-focus" : ""}`;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of changes has the keys
            <g
              key={box.id}
              class={`small-box ${state} ${props.mark(box)}`}
              transform={`translate(${place.x} ${place.y})`}
              onClick={() => props.onSelect(box)}
            >
              <rect width={place.width} height={place.height} rx="5" />
              {lines.map((line, at) => (
                <text key={at} x="9" y={(at + 1) * LINE}>
                  {line}
                </text>
              ))}
            </g>
          );
        })}
        {model.edges.map((_, i) => (
          <path key={i} class="small-edge" d={pathOf(placed.edges[i] ?? [])} />
        ))}
      </svg>
    </section>
  );
}
