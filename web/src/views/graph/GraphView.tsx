/** The program as a graph: what is drawn, its picture, and what is known of the selected box. */
import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { openOverlay } from "../../app/actions";
import type { App } from "../../app/app";
import { isProgramKind } from "../../app/state";
import { words } from "../../strings";
import { Check } from "../../ui/Check";
import { Empty } from "../../ui/Empty";
import { MarksLine } from "../../why/MarksLine";
import { currentMarks } from "../../why/marks";
import { useGraph } from "./asking";
import { isBoxMarked } from "./Boxes";
import { coloured } from "./colours";
import { Details } from "./Details";
import { boxAtKeys, clearPath, neighborhood, pathEnd, reveal, select, toggle } from "./doing";
import { useFollowing, useHandle, useSelected } from "./following";
import { Legend } from "./Legend";
import { Picture } from "./Picture";
import { type GraphSession, graphSession } from "./session";
import { Tools } from "./Tools";
import type { Size, ViewPort } from "./view_port";
import { graphWords as w } from "./words";
import "./graph.css";

function PathLine({ app, session }: { app: App; session: GraphSession }): JSX.Element | null {
  const ends = session.path.value;
  const path = session.shown.value?.model.path;
  if (!ends.from && !ends.to) return null;
  const isWhole = ends.from !== null && ends.to !== null;
  return (
    <p class="graph-path" role="status">
      <span class="mono">
        {ends.from?.name ?? "?"} → {ends.to?.name ?? "?"}
      </span>
      <span>
        {!isWhole
          ? w.pathWaits(ends.from !== null)
          : path?.found
            ? `${w.pathOf(path.count, ends.all)}${path.reversed ? `; ${w.pathReversed}` : ""}`
            : path && w.pathNone}
      </span>
      {isWhole && (
        <Check
          isOn={ends.all}
          onChange={(all) => {
            session.path.value = { ...ends, all };
          }}
        >
          <span>{w.allPaths}</span>
        </Check>
      )}
      <button type="button" onClick={() => clearPath(app)}>
        {w.clearPath}
      </button>
    </p>
  );
}

/** The picture, its legend, and what is known of the selected box. */
function Shown({ app, session }: { app: App; session: GraphSession }): JSX.Element | null {
  const view = useSignal<ViewPort>({ x: 0, y: 0, scale: 1 });
  const screen = useSignal<Size>({ width: 600, height: 400 });
  const stage = { view, screen };
  const at = useComputed(() => boxAtKeys(session));
  const graph = session.shown.value;
  useFollowing(session, stage);
  useHandle(session, stage, at);
  useSelected(app, session, stage, at);
  const colour = session.colour.value;
  const colouring = useMemo(
    () => graph && coloured(app, colour, graph),
    [graph?.model.boxes, graph?.text, colour, app.state.results.value],
  );
  if (!graph || !colouring) return null;
  const marks = graph.text === app.state.results.value?.text ? currentMarks(app) : null;
  const hasMarked = graph.model.boxes.some((box) => isBoxMarked(marks, box));
  return (
    <>
      <Picture
        graph={graph}
        colouring={colouring}
        marks={marks}
        view={view}
        screen={screen}
        at={at}
        onSelect={(index) => select(app, session, graph.model, index)}
        onToggle={(index) => toggle(session, graph.model, index)}
      />
      {hasMarked && <MarksLine app={app} />}
      <Legend colouring={colouring} edges={graph.model.edges} />
      <Details
        graph={graph}
        at={at.value}
        actions={{
          toggle: () => toggle(session, graph.model, at.value),
          neighborhood: () => neighborhood(app),
          only: (computation) => {
            session.root.value = computation;
          },
          pathFrom: () => pathEnd(app, "from"),
          pathTo: () => pathEnd(app, "to"),
          choose: (item) => reveal(app, session, item),
        }}
      />
    </>
  );
}

export function GraphView({ app }: { app: App }): JSX.Element {
  const session = graphSession(app);
  const kind = useComputed(() => app.state.check.value?.kind ?? "").value;
  const isProgram = isProgramKind(kind);
  const { busy, failed, again } = useGraph(app, session, isProgram);
  const hasPicture = session.shown.value !== null;
  return (
    <div class="graph-view" data-text={session.shown.value?.text === app.state.text.value}>
      {hasPicture && <Tools app={app} session={session} />}
      {hasPicture && <PathLine app={app} session={session} />}
      <Shown app={app} session={session} />
      {busy.value && (
        <p class="graph-busy" role="status">
          {w.laying}
        </p>
      )}
      {failed.value && !busy.value && (
        <Empty sentence={w.notLaid} action={w.tryAgain} onAction={again} />
      )}
      {!hasPicture && !busy.value && !failed.value && (
        <Empty
          sentence={words.graph.empty}
          action={words.graph.emptyAction}
          onAction={() => openOverlay(app, "examples")}
        />
      )}
    </div>
  );
}
