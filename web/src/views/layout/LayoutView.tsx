/** How a shape lies in memory: follows the shape under the cursor, or one that is typed. */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { typeShape } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { AxisPicker } from "../../ui/AxisPicker";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { Advice } from "./Advice";
import { Bytes } from "./Bytes";
import { CompareBar } from "./CompareBar";
import { Comparison } from "./Comparison";
import { Conversions } from "./Conversions";
import { COLOUR_MODES, type ColourMode } from "./colours";
import { comparing } from "./compare";
import { Faults } from "./Faults";
import { FilmView } from "./FilmView";
import { Formula } from "./Formula";
import type { FilmSession } from "./film";
import { CELL_MODES, type CellMode, isCountable } from "./model";
import { Pictures } from "./Pictures";
import { SHAPE_FAULTS, ShapeBar, Sizes, Waste } from "./ShapeBar";
import type { LayoutSession } from "./session";
import type { LayoutSessions } from "./sessions";
import { WindowTable } from "./WindowTable";
import { valueFor } from "./windows";
import { layoutWords, modelAssumes } from "./words";
import "./layout.css";
import "./film.css";

const LINES = [8, 16, 32, 64, 128, 256];

function Choices(props: {
  app: App;
  session: LayoutSession;
  film: FilmSession;
}): JSX.Element | null {
  const { app, session, film } = props;
  const info = session.info.value;
  if (!info) return null;
  const hasValue = valueFor(app, info) !== null;
  return (
    <div class="choices">
      <AxisPicker
        dims={info.dims}
        axes={session.axes.value}
        onChange={(axes) => {
          session.axes.value = axes;
        }}
      />
      <div class="choice-group">
        <label>
          <span>{layoutWords.cells}</span>
          <select
            value={session.cells.value}
            onChange={(event) => {
              session.cells.value = event.currentTarget.value as CellMode;
            }}
          >
            {CELL_MODES.map((mode) => (
              <option key={mode} value={mode} disabled={mode === "value" && !hasValue}>
                {layoutWords.modes[mode]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{layoutWords.colour}</span>
          <select
            value={session.colour.value}
            onChange={(event) => {
              session.colour.value = event.currentTarget.value as ColourMode;
            }}
          >
            {COLOUR_MODES.map((mode) => (
              <option key={mode} value={mode}>
                {layoutWords.colours[mode]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{layoutWords.line}</span>
          <select
            value={String(session.line.value)}
            onChange={(event) => {
              session.line.value = Number(event.currentTarget.value);
            }}
          >
            <option value="0">{layoutWords.auto}</option>
            {LINES.map((line) => (
              <option key={line} value={String(line)}>
                {line}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="quiet"
          aria-pressed={session.asTable.value}
          onClick={() => {
            session.asTable.value = !session.asTable.value;
          }}
        >
          {session.asTable.value ? layoutWords.grids : layoutWords.table}
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={film.open.value}
          onClick={() => {
            film.open.value = !film.open.value;
          }}
        >
          <Icon name="film" />
          <span>{layoutWords.film.title}</span>
        </button>
      </div>
    </div>
  );
}

/** What a model assumes: where elements lie is exact, what hardware makes of it is not. */
function Assumption({ session }: { session: LayoutSession }): JSX.Element | null {
  const assumes = modelAssumes[session.colour.value];
  return assumes ? <p class="muted assumption">{assumes}</p> : null;
}

interface MiddleProps {
  app: App;
  session: LayoutSession;
  film: FilmSession;
  info: LayoutInfo;
  compared: LayoutSession | null;
}

/** The layout as pictures, as a table, or as a film. */
function Middle({ app, session, film, info, compared }: MiddleProps): JSX.Element {
  if (film.open.value) return <FilmView app={app} session={session} film={film} info={info} />;
  if (session.asTable.value) return <WindowTable app={app} session={session} info={info} />;
  return <Pictures app={app} session={session} info={info} compared={compared} />;
}

interface LayoutViewProps extends LayoutSessions {
  app: App;
}

/** Before there is a layout: how to write one. */
function NoLayout({ app }: { app: App }): JSX.Element | null {
  const example = app.state.exampleShapes.value[0] ?? "";
  // While the page opens nothing was asked for yet.
  const isOpening = example === "" && app.state.typedShape.value === null;
  if (isOpening) return null;
  return (
    <Empty
      sentence={words.layout.empty}
      action={layoutWords.emptyAction(example)}
      onAction={() => typeShape(app, example)}
    />
  );
}

/** What the layout wastes; in a comparison what both do. */
function Wastes({ info, other }: { info: LayoutInfo; other: LayoutInfo | null }): JSX.Element {
  if (!other) return <Waste info={info} />;
  return (
    <div class="two-wastes">
      {[info, other].map((each, i) => (
        <div key={i}>
          <h2>{i ? layoutWords.after : layoutWords.before}</h2>
          <Waste info={each} />
        </div>
      ))}
    </div>
  );
}

interface AboutProps extends LayoutViewProps {
  info: LayoutInfo;
  /** The layout that this one is compared with. */
  other: LayoutInfo | null;
  /** Its pictures, where they are among the rest: on a wide screen. */
  middle: JSX.Element | null;
}

/** All that is shown of a layout that can be drawn. */
function Drawn({ app, session, film, info, other, middle }: AboutProps): JSX.Element {
  return (
    <>
      <Choices app={app} session={session} film={film} />
      {middle}
      <Assumption session={session} />
      {other && <Comparison app={app} from={info} to={other} />}
      <div class="layout-details">
        <Formula session={session} />
        {!other && <Bytes app={app} session={session} />}
      </div>
      {!other && <Sizes info={info} />}
      <Conversions app={app} info={info} />
      {info.minorToMajor.length > 0 && <Advice app={app} info={info} />}
    </>
  );
}

/** What is said of a layout that has no elements, or too many to count. */
function NotDrawn({ info }: { info: LayoutInfo }): JSX.Element {
  return (
    <>
      <p class="empty">
        {info.physicalElements === 0 ? words.layout.none : words.layout.uncountable}
      </p>
      <Sizes info={info} />
    </>
  );
}

export function LayoutView(props: LayoutViewProps): JSX.Element {
  const { app, session, compared } = props;
  const compares = useComputed(() => comparing(app, session, compared).value).value;
  const other = compares ? compared.info.value : null;
  const info = session.info.value;
  const isDrawn = info?.ok && info.physicalElements > 0 && isCountable(info);
  // What a small screen shows first are the pictures.
  const isNarrow = app.state.narrow.value;
  const middle = isDrawn ? (
    <Middle {...props} info={info} compared={other ? compared : null} />
  ) : null;
  if (app.state.layoutShape.value.trim() === "") {
    return (
      <div class="column-view layout-view">
        <ShapeBar app={app} sessions={props} />
        <NoLayout app={app} />
      </div>
    );
  }
  return (
    <div class="column-view layout-view">
      <ShapeBar app={app} sessions={props} />
      <CompareBar app={app} session={session} compared={compared} />
      {isNarrow && middle}
      {info && !info.ok && (
        <Faults
          id={SHAPE_FAULTS}
          text={app.state.layoutShape.value}
          faults={info.diagnostics}
          onFix={(text) => typeShape(app, text)}
        />
      )}
      {info?.ok && <Wastes info={info} other={other} />}
      {info?.ok && !isDrawn && <NotDrawn info={info} />}
      {info?.ok && isDrawn && (
        <Drawn {...props} info={info} other={other} middle={isNarrow ? null : middle} />
      )}
    </div>
  );
}
