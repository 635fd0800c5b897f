/** What the colours and the lines of a graph mean. */
import type { JSX } from "preact";
import type { GraphEdge } from "../../../../wasm/engine_api";
import type { Colouring } from "./colours";
import { graphWords as w } from "./words";

export function Legend(props: {
  colouring: Colouring;
  edges: readonly GraphEdge[];
}): JSX.Element | null {
  const { legend, model } = props.colouring;
  const kinds = new Set(props.edges.map(({ kind }) => kind));
  const lines = (["data", "async", "carried", "control"] as const).filter(
    (kind) => kinds.has(kind) && (kind !== "data" || kinds.size > 1),
  );
  if (legend.length + lines.length === 0 && !model) return null;
  return (
    <div class="graph-legend">
      <ul aria-label={w.legend}>
        {legend.map(({ tint, label }) => (
          <li key={label}>
            <svg class={`graph-swatch ${tint}`} width="14" height="14" aria-hidden="true">
              <rect x="1" y="1" width="12" height="12" rx="3" />
            </svg>
            {label}
          </li>
        ))}
        {lines.map((kind) => (
          <li key={kind}>
            <svg class={`graph-edge ${kind}`} width="26" height="10" aria-hidden="true">
              <path d="M0 5H25" />
            </svg>
            {w.edges[kind]}
          </li>
        ))}
      </ul>
      {model && <p class="muted">{model}</p>}
    </div>
  );
}
