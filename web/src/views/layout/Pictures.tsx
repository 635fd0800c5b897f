/** The two pictures of a layout side by side: the logical array and linear memory. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { GridCanvas } from "../../grid/GridCanvas";
import type { CellPlace } from "../../grid/viewport";
import { words } from "../../strings";
import { cellOf } from "../../ui/axes";
import { integer } from "../../ui/format";
import { colourings } from "./colours";
import { loadCompared } from "./compare";
import { memoryPlace, paddingValue } from "./model";
import {
  byteAt,
  type LayoutSession,
  lineOf,
  loadLogical,
  loadMemory,
  logicalSpot,
  memorySpot,
  pick,
  type Spot,
  valueFor,
} from "./session";
import { layoutWords } from "./words";

interface PicturesProps {
  app: App;
  session: LayoutSession;
  info: LayoutInfo;
}

/** With `compared`, the logical array shows where its elements go in that layout. */
interface ComparedProps extends PicturesProps {
  compared: LayoutSession | null;
}

/** "row 3, column 5, value 0.25, tile 1, byte 212" */
function speak(
  session: LayoutSession,
  info: LayoutInfo,
  spot: Spot | null,
  place: CellPlace | null,
): string {
  if (!spot) return words.grid.outside;
  const parts = place ? [words.grid.row(place.row), words.grid.column(place.col)] : [];
  if (!spot.index) parts.push(words.grid.paddingOf(paddingValue(info)));
  else if (!place || spot.index.length > 2) parts.push(words.grid.index(spot.index));
  const value = session.values.value.get(spot.offset);
  if (spot.index && value !== undefined) parts.push(words.grid.value(value));
  if (spot.offset >= 0) {
    if (info.tiles.length > 0) {
      parts.push(words.grid.tile(Math.floor(spot.offset / session.tiling.value.volume)));
    }
    const byte = integer(byteAt(session, spot.offset));
    parts.push(words.grid.offset(integer(spot.offset)), words.grid.byte(byte));
    const { row, col } = place ?? { row: 0, col: 0 };
    const lie = { info, tiling: session.tiling.value, offset: spot.offset, row, col };
    const said = colourings[session.colour.value].says?.(lie);
    if (said) parts.push(said);
  }
  return parts.join(", ");
}

const TALLEST = 44;

/** Cells wide enough for the longest text in them. */
function cellSize(letters: number) {
  const cellWidth = Math.max(30, Math.min(96, letters * 8 + 8));
  const narrowest = Math.max(24, Math.min(96, letters * 6 + 5));
  return {
    cellWidth,
    cellHeight: 28,
    fit: { narrowest, widest: Math.max(72, narrowest), tallest: TALLEST },
  };
}

const digits = (n: number): number => String(Math.max(0, n - 1)).length;
const indexLetters = (dims: number[]): number =>
  dims.reduce((sum, size) => sum + digits(size) + 1, -1);

function common(app: App, session: LayoutSession, info: LayoutInfo): string {
  const ref = valueFor(app, info);
  return JSON.stringify([
    session.turn.value,
    info.subject,
    session.axes.value,
    session.cells.value,
    session.colour.value,
    ref,
  ]);
}

function LogicalPicture({ app, session, info, compared }: ComparedProps): JSX.Element {
  const other = compared?.info.value ?? null;
  const axes = session.axes.value;
  const padded = info.paddedDims;
  const size = (dim: number): number => (dim >= 0 ? (padded[dim] ?? 1) : 1);
  const [rows, cols] = [size(axes.row), size(axes.col)];
  const place = (spot: Spot | null): CellPlace | null =>
    spot?.index ? cellOf(axes, spot.index) : null;
  const letters = {
    offset: digits(info.physicalElements) + (other ? digits(other.physicalElements) + 1 : 0),
    index: indexLetters(info.dims),
    value: 7,
  };
  return (
    <GridCanvas
      id="logical-grid"
      label={
        other
          ? layoutWords.comparedGrid(info.subject, other.subject)
          : words.layout.logicalGrid(info.subject)
      }
      rows={rows}
      cols={cols}
      {...cellSize(letters[other ? "offset" : session.cells.value])}
      rowHeader={Math.max(24, digits(rows) * 7 + 12)}
      rowName={String}
      colName={String}
      source={`${common(app, session, info)} ${other?.subject ?? ""}`}
      load={(rect) =>
        compared ? loadCompared(session, compared, app, rect) : loadLogical(session, app, rect)
      }
      selected={place(session.picked.value)}
      hovered={place(session.hover.value)}
      theme={String(app.state.dark.value)}
      dimmed={session.cells.value === "value" && app.state.stale.value}
      onSelect={(at) => {
        // Keys stop at the last element: the padding around it has no index.
        const last = (dim: number): number => (dim >= 0 ? (info.dims[dim] ?? 1) - 1 : 0);
        const row = Math.min(at.row, last(axes.row));
        const spot = logicalSpot(session, { row, col: Math.min(at.col, last(axes.col)) });
        if (spot) pick(session, app, spot);
      }}
      onHover={(at) => {
        session.hover.value = at ? logicalSpot(session, at) : null;
      }}
      speak={(at) => speak(session, info, logicalSpot(session, at), at)}
    />
  );
}

function MemoryPicture(props: PicturesProps & { id: string }): JSX.Element {
  const { app, session, info } = props;
  const line = Math.min(lineOf(session), Math.max(1, info.physicalElements));
  const place = (spot: Spot | null): CellPlace | null =>
    spot && spot.offset >= 0 ? memoryPlace(spot.offset, line) : null;
  const letters = session.cells.value === "value" ? 7 : indexLetters(info.dims);
  const rows = Math.ceil(info.physicalElements / line);
  return (
    <GridCanvas
      id={props.id}
      label={words.layout.memoryGrid(info.subject)}
      rows={rows}
      cols={line}
      {...cellSize(letters)}
      rowHeader={Math.max(28, digits(info.physicalElements) * 7 + 14)}
      rowName={(row) => String(row * line)}
      colName={(col) => `+${col}`}
      source={`${common(app, session, info)} ${line} ${session.cells.value === "value" ? session.values.value.size : ""}`}
      load={(rect) => loadMemory(session, app, rect)}
      selected={place(session.picked.value)}
      hovered={place(session.hover.value)}
      theme={String(app.state.dark.value)}
      dimmed={session.cells.value === "value" && app.state.stale.value}
      onSelect={(at) => {
        const spot = memorySpot(session, at);
        if (spot) pick(session, app, spot);
      }}
      onHover={(at) => {
        session.hover.value = at ? memorySpot(session, at) : null;
      }}
      speak={(at) => speak(session, info, memorySpot(session, at), null)}
    />
  );
}

/** What is hovered, or else selected, in one line; read out when the selection moves. */
function SpotLine({ session, info, compared }: ComparedProps): JSX.Element {
  const spotText = (which: "hover" | "picked"): string => {
    const spot = session[which].value;
    if (!spot) return "";
    const place = spot.index ? cellOf(session.axes.value, spot.index) : null;
    const said = speak(session, info, spot, place);
    const there = compared?.[which].value;
    const same = spot.index && there?.index?.join() === spot.index.join() && there.offset >= 0;
    return same ? `${said}, ${layoutWords.goesTo(integer(there.offset))}` : said;
  };
  const hovered = spotText("hover");
  const picked = spotText("picked");
  return (
    <p class="spot-line">
      <span aria-hidden="true">{hovered || picked}</span>
      <span class="visually-hidden" aria-live="polite">
        {picked}
      </span>
    </p>
  );
}

/** No more height than the taller picture can use. */
function mostHeight({ session, info, compared }: ComparedProps): number {
  const padded = info.paddedDims;
  const rows = session.axes.value.row >= 0 ? (padded[session.axes.value.row] ?? 1) : 1;
  const lines = Math.ceil(info.physicalElements / lineOf(session));
  const other = compared?.info.value;
  const below = compared && other ? Math.ceil(other.physicalElements / lineOf(compared)) + 2 : 0;
  return Math.max(4, rows, lines + below) * TALLEST + 60;
}

function Memory(props: PicturesProps & { id: string; title: string }): JSX.Element {
  return (
    <section aria-label={props.title}>
      <h2>
        {props.title} <span class="muted">{words.layout.perLine(lineOf(props.session))}</span>
      </h2>
      <MemoryPicture {...props} />
    </section>
  );
}

export function Pictures(props: ComparedProps): JSX.Element {
  const { compared } = props;
  const other = compared?.info.value;
  return (
    <>
      <div class="pictures" style={{ "--most": `${mostHeight(props)}px` }}>
        <section aria-label={words.layout.logical}>
          <h2>
            {words.layout.logical} <span class="muted">{props.info.dims.join(" × ")}</span>
          </h2>
          <LogicalPicture {...props} />
        </section>
        {compared && other ? (
          <div class="two-memories">
            <Memory {...props} id="memory-grid" title={words.layout.before} />
            <Memory
              {...props}
              session={compared}
              info={other}
              id="memory-after-grid"
              title={words.layout.after}
            />
          </div>
        ) : (
          <Memory {...props} id="memory-grid" title={words.layout.memory} />
        )}
      </div>
      <SpotLine {...props} />
    </>
  );
}
