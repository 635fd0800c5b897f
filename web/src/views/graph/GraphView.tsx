/** The program as a graph: what is drawn, its picture, and what is known of the selected box. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { openOverlay, tellFailure } from "../../app/actions";
import type { App } from "../../app/app";
import { isProgramKind } from "../../app/state";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Menu } from "../../ui/Menu";
import { MarksLine } from "../../why/MarksLine";
import { currentMarks } from "../../why/marks";
import { useGraph } from "./asking";
import { isBoxMarked } from "./Boxes";
import { coloured, planOf } from "./colours";
import { Details } from "./Details";
import {
  boxAtKeys,
  clearPath,
  neighborhood,
  pathEnd,
  reveal,
  select,
  toggle,
  wholeProgram,
} from "./doing";
import { COLOURS, type ColourId, GRAPH_EXPORTS } from "./kinds";
import { Legend } from "./Legend";
import { Picture } from "./Picture";
import { Search } from "./Search";
import { type GraphSession, graphSession, type ShownGraph } from "./session";
import { anchored, fitted, opening, type Size, showing, type ViewPort } from "./view_port";
import { graphWords as w } from "./words";
import "./graph.css";

const RADII = [-1, 1, 2, 3, 5, 10];
/** More at once would be no help. */
const MOST_OPENED = 40;

function Tools({ app, session }: { app: App; session: GraphSession }): JSX.Element {
  const text = app.state.text.value;
  const timeless = planOf(app, text);
  const { radius, colour, fold, open } = session;
  const radii = RADII.includes(radius.value) ? RADII : [...RADII, radius.value];
  const model = session.shown.value?.model;
  const closed = (model?.boxes ?? []).flatMap((box) =>
    box.canOpen && !box.isOpen && !box.hasNoRoom ? box.id : [],
  );
  const isPart = model !== undefined && (!model.isEntry || radius.value >= 0);
  return (
    <fieldset class="graph-tools" aria-label={w.tools}>
      <Search
        app={app}
        onChoose={(item) => {
          reveal(app, session, item);
          session.picture?.focus();
        }}
      />
      <label>
        <span>{w.radius}</span>
        <select
          value={radius.value}
          onChange={(event) => {
            radius.value = Number(event.currentTarget.value);
          }}
        >
          {radii.map((steps) => (
            <option key={steps} value={steps}>
              {w.radii(steps)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{w.colour}</span>
        <select
          value={colour.value}
          title={"why" in timeless ? timeless.why : undefined}
          onChange={(event) => {
            colour.value = event.currentTarget.value as ColourId;
          }}
        >
          {COLOURS.map((id) => (
            <option key={id} value={id} disabled={id === "time" && "why" in timeless}>
              {w.colours[id]}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={fold.value}
          onChange={(event) => {
            fold.value = event.currentTarget.checked;
          }}
        />
        <span>{w.fold}</span>
      </label>
      {isPart && (
        <button type="button" onClick={() => wholeProgram(app)}>
          {w.whole}
        </button>
      )}
      {closed.length > 0 && closed.length <= MOST_OPENED && (
        <button
          type="button"
          onClick={() => {
            open.value = [...(open.value ?? []), ...closed];
          }}
        >
          {w.openAll}
        </button>
      )}
      {open.value && open.value.length > 0 && (
        <button
          type="button"
          onClick={() => {
            open.value = [];
          }}
        >
          {w.closeAll}
        </button>
      )}
      <Menu
        id="graph-export"
        label={w.exports}
        icon="save"
        items={GRAPH_EXPORTS.map((kind) => ({
          id: kind,
          label: words.graph.commands[kind].replace(/^.*: /, ""),
          act: () =>
            tellFailure(
              app,
              import("./saving").then(({ savePicture }) => savePicture(app, kind)),
            ),
        }))}
      />
    </fieldset>
  );
}

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
        <label class="check">
          <input
            type="checkbox"
            checked={ends.all}
            onChange={(event) => {
              session.path.value = { ...ends, all: event.currentTarget.checked };
            }}
          />
          <span>{w.allPaths}</span>
        </label>
      )}
      <button type="button" onClick={() => clearPath(app)}>
        {w.clearPath}
      </button>
    </p>
  );
}

/** Where the next picture is put: what was selected, or in the middle, stays where it was. */
function followed(
  before: ShownGraph,
  after: ShownGraph,
  view: ViewPort,
  screen: Size,
  selected: string,
): ViewPort {
  const middle = {
    x: view.x + screen.width / view.scale / 2,
    y: view.y + screen.height / view.scale / 2,
  };
  const indices = new Map(after.model.boxes.map(({ id }, i) => [id, i]));
  let best: ViewPort | null = null;
  let nearest = Infinity;
  for (const [i, { id }] of before.model.boxes.entries()) {
    const [from, to] = [before.placed.boxes[i], after.placed.boxes[indices.get(id) ?? -1]];
    if (!from || !to) continue;
    const away = Math.hypot(from.x + from.width / 2 - middle.x, from.y - middle.y);
    if (id !== selected && away >= nearest) continue;
    best = anchored(view, from, to);
    nearest = away;
    if (id === selected) break;
  }
  return best ?? opening(after.placed, screen);
}

function Shown({ app, session }: { app: App; session: GraphSession }): JSX.Element | null {
  const view = useSignal<ViewPort>({ x: 0, y: 0, scale: 1 });
  const screen = useSignal<Size>({ width: 600, height: 400 });
  const last = useRef<ShownGraph | null>(null);
  const lastPart = useRef("");
  const at = useComputed(() => boxAtKeys(session));
  const graph = session.shown.value;
  useSignalEffect(() => {
    const now = session.shown.value;
    const before = last.current;
    const size = screen.peek();
    if (!now || size.width === 0 || before?.placed === now.placed) return;
    last.current = now;
    const index = boxAtKeys(session);
    const id = now.model.boxes[index]?.id ?? "";
    // Another part of the program is another picture.
    const part = `${now.model.computation} ${session.radius.peek()}`;
    const isOther = lastPart.current !== part;
    lastPart.current = part;
    view.value =
      before && !isOther ? followed(before, now, view.peek(), size, id) : opening(now.placed, size);
    const box = now.placed.boxes[index];
    if (box && !now.model.boxes[index]?.isOpen) view.value = showing(view.peek(), box, size);
  });
  useEffect(() => {
    session.picture = {
      fit: () => {
        const { placed } = session.shown.peek() ?? {};
        if (placed) view.value = fitted(placed, screen.peek());
      },
      focus: () => document.querySelector<HTMLElement>(".graph-stage")?.focus(),
      toggle: () => {
        const model = session.shown.peek()?.model;
        if (model) toggle(session, model, at.peek());
      },
    };
    return () => {
      session.picture = null;
    };
  }, []);
  // What is selected elsewhere is brought onto the screen, and is where the keys start from.
  const focus = useComputed(() => {
    const { computation, name } = app.state.focus.value;
    return `${computation}/${name}`;
  });
  useSignalEffect(() => {
    void focus.value;
    const model = session.shown.peek()?.model;
    const own = model?.boxes.find(({ id }) => id === session.at.peek());
    const isOwn = own?.kind === "instruction" && `${own.computation}/${own.name}` === focus.value;
    if (!isOwn && own?.kind === "instruction") session.at.value = "";
  });
  useSignalEffect(() => {
    const box = session.shown.value?.placed.boxes[at.value];
    const isOpen = session.shown.peek()?.model.boxes[at.value]?.isOpen;
    if (box && !isOpen) view.value = showing(view.peek(), box, screen.peek());
  });
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
