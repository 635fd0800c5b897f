/** Both programs as graphs, around the change that is looked at. */
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { GraphModel, ModuleChange, ModuleDiff } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { WorkerLayouter } from "../../graph/layouter";
import { type Placed, takePlaces, toPlace } from "../../graph/placing";
import { SmallGraph } from "../../graph/SmallGraph";
import { useAnswer } from "../../ui/answer";
import type { ComparedPair } from "./session";
import { compareWords } from "./words";

/** Steps from the change that are drawn, and boxes where no change is chosen. */
const RADIUS = 2;
const LIMIT = 40;

interface Drawn {
  model: GraphModel;
  placed: Placed;
}

/** What happened to the instruction in a line, by line of one side: kinds as in `marks`. */
function kindsByLine(diff: ModuleDiff, side: 0 | 1): Map<number, string> {
  const kinds = new Map<number, string>();
  for (let i = 0; i + 2 < diff.marks.length; i += 3) {
    if (diff.marks[i] !== side) continue;
    kinds.set((diff.marks[i + 1] ?? 0) + 1, diff.kinds[diff.marks[i + 2] ?? 0]?.kind ?? "");
  }
  return kinds;
}

function Side(props: {
  app: App;
  pair: ComparedPair;
  diff: ModuleDiff;
  change: ModuleChange | null;
  side: "before" | "after";
}): JSX.Element {
  const { app, pair, diff, change, side } = props;
  const w = compareWords;
  const { text } = pair[side];
  const focus = change?.[side] ?? null;
  const layouter = useMemo(() => new WorkerLayouter(), []);
  useEffect(() => () => layouter.end(), [layouter]);
  const isGone = change !== null && focus === null;
  const key = isGone ? "" : `${focus?.computation} ${focus?.id} ${text}`;
  const drawn = useAnswer<Drawn>(key, () => {
    if (isGone) return null;
    const asked = app.engines.typing.call("graph", [
      text,
      {
        limit: LIMIT,
        ...(focus
          ? {
              focus: { name: focus.id, computation: focus.computation },
              radius: RADIUS,
              reveal: true,
            }
          : {}),
      },
    ]);
    return asked.then(async (model) => ({
      model,
      placed: takePlaces(model, await layouter.place(toPlace(model))),
    }));
  }).value;
  const kinds = useMemo(() => kindsByLine(diff, side === "before" ? 0 : 1), [diff, side]);
  return (
    <section class="compare-graph" aria-label={w[side]}>
      <h2>{w[side]}</h2>
      {isGone && <p class="muted">{w.notThere}</p>}
      {!drawn && !isGone && <p class="muted is-coming">{w.laying}</p>}
      {drawn && !isGone && (
        <SmallGraph
          label={w.graphOf(w[side])}
          model={drawn.model}
          placed={drawn.placed}
          mark={(box) => {
            const kind = box.kind === "instruction" ? kinds.get(box.line) : undefined;
            return kind ? `kind-${kind}` : "";
          }}
          isFocus={(box) =>
            focus !== null &&
            box.kind === "instruction" &&
            box.range[0] >= focus.range[0] &&
            box.range[1] <= focus.range[1]
          }
          onSelect={(box) => {
            if (!pair.isProgram || side !== "after" || box.kind !== "instruction") return;
            app.editor?.goTo([box.range[0], box.range[0]], false);
          }}
        />
      )}
    </section>
  );
}

export function Graphs(props: {
  app: App;
  pair: ComparedPair;
  diff: ModuleDiff;
  change: ModuleChange | null;
}): JSX.Element {
  return (
    <div class="compare-graphs">
      <Side {...props} side="before" />
      <Side {...props} side="after" />
    </div>
  );
}
