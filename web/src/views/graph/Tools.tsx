/** Above the picture of a graph: what is drawn of the program, and how. */
import type { JSX } from "preact";
import type { GraphModel } from "../../../../wasm/engine_api";
import { tellFailure } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { Check } from "../../ui/Check";
import { Menu } from "../../ui/Menu";
import { planOf } from "./colours";
import { reveal, wholeProgram } from "./doing";
import { COLOURS, type ColourId, GRAPH_EXPORTS } from "./kinds";
import { Search } from "./Search";
import type { GraphSession } from "./session";
import { graphWords as w } from "./words";

const RADII = [-1, 1, 2, 3, 5, 10];
/** More at once would be no help. */
const MOST_OPENED = 40;

interface ToolsProps {
  app: App;
  session: GraphSession;
}

/** How many steps from the selected instruction are drawn; one that a link says is among them. */
function RadiusChoice({ session: { radius } }: ToolsProps): JSX.Element {
  const radii = RADII.includes(radius.value) ? RADII : [...RADII, radius.value];
  return (
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
  );
}

/** What colours say; time only where it is known. */
function ColourChoice({ app, session: { colour } }: ToolsProps): JSX.Element {
  const timeless = planOf(app, app.state.text.value);
  return (
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
  );
}

/** Ids of the boxes that can be opened. */
const closedBoxes = ({ boxes }: GraphModel): string[] =>
  boxes.flatMap((box) => (box.canOpen && !box.isOpen && !box.hasNoRoom ? box.id : []));

/** Buttons that draw the whole program, open all boxes and close them: each where it does something. */
function Extent({ app, session }: ToolsProps): JSX.Element {
  const { radius, open } = session;
  const model = session.shown.value?.model;
  const closed = model ? closedBoxes(model) : [];
  const isPart = model !== undefined && (!model.isEntry || radius.value >= 0);
  return (
    <>
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
    </>
  );
}

function Exports({ app }: { app: App }): JSX.Element {
  return (
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
  );
}

export function Tools({ app, session }: ToolsProps): JSX.Element {
  const { fold } = session;
  return (
    <fieldset class="graph-tools" aria-label={w.tools}>
      <Search
        app={app}
        onChoose={(item) => {
          reveal(app, session, item);
          session.picture?.focus();
        }}
      />
      <RadiusChoice app={app} session={session} />
      <ColourChoice app={app} session={session} />
      <Check
        isOn={fold.value}
        onChange={(isOn) => {
          fold.value = isOn;
        }}
      >
        <span>{w.fold}</span>
      </Check>
      <Extent app={app} session={session} />
      <Exports app={app} />
    </fieldset>
  );
}
