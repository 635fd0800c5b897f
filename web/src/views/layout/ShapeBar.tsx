/** The shape that is shown, its sizes in words, and how much of it is padding. */
import type { JSX } from "preact";
import type { LayoutAdvice, LayoutInfo } from "../../../../wasm/engine_api";
import { compareWith, notify, typeShape } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { bytes, integer, percent } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";
import { canExport, exportLayout, layoutExports } from "./exports";
import type { LayoutSessions } from "./sessions";
import { layoutWords } from "./words";

/** The element that says what is wrong with the shape. */
export const SHAPE_FAULTS = "shape-faults";

interface ShapeBarProps {
  app: App;
  sessions: LayoutSessions;
}

function ExportMenu({ app, sessions }: ShapeBarProps): JSX.Element | null {
  if (!canExport(sessions)) return null;
  const items = layoutExports.map((what) => ({
    id: what.id,
    label: what.label,
    act: () => {
      exportLayout(app, sessions, what).catch((error: Error) =>
        notify(app, error.message, "error"),
      );
    },
  }));
  return <Menu id="layout-export" label={layoutWords.exportMenu} icon="save" items={items} />;
}

/** Begins with the first other layout that the engine would advise; the same one if there is none. */
async function toggleComparison(app: App): Promise<void> {
  const shape = app.state.layoutShape.value;
  if (app.state.comparedShape.value !== null) {
    compareWith(app, null);
    return;
  }
  const advice = await app.engines.typing.call("layoutAdvice", [shape]).catch(() => null);
  compareWith(app, otherLayout(shape, advice) ?? shape);
}

/** A TPU's own layout, or the best of the others. */
export function otherLayout(shape: string, advice: LayoutAdvice | null): string | null {
  if (!advice?.ok) return null;
  const candidates = [...(advice.tpu ? [advice.tpu] : []), ...advice.candidates];
  const plain = (text: string): string => text.replace(/\s/g, "");
  return candidates.find((each) => plain(each.shape) !== plain(shape))?.shape ?? null;
}

export function ShapeBar(props: ShapeBarProps): JSX.Element {
  const { app } = props;
  const s = app.state;
  const typed = s.typedShape.value !== null;
  const isWrong = props.sessions.session.info.value?.ok === false;
  return (
    <div class="shape-bar">
      <input
        id="layout-shape"
        class="mono"
        type="text"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-label={layoutWords.box}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? SHAPE_FAULTS : undefined}
        value={s.layoutShape.value}
        onInput={(event) => typeShape(app, event.currentTarget.value)}
      />
      <button
        type="button"
        class="quiet"
        aria-pressed={s.layoutSource.value === "cursor"}
        title={layoutWords.follow}
        onClick={() => typeShape(app, typed ? null : s.layoutShape.value)}
      >
        <Icon name={typed ? "pin" : "target"} />
        <span>{layoutWords.sources[s.layoutSource.value]}</span>
      </button>
      <select
        aria-label={layoutWords.presets}
        value=""
        onChange={(event) => {
          typeShape(app, event.currentTarget.value);
          event.currentTarget.value = "";
        }}
      >
        <option value="" disabled>
          {layoutWords.presetLabel}
        </option>
        {s.exampleShapes.value.map((preset) => (
          <option key={preset} value={preset}>
            {preset}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="quiet"
        title={words.layout.compare}
        aria-pressed={s.comparedShape.value !== null}
        onClick={() => void toggleComparison(app)}
      >
        <Icon name="swap" />
        <span class="tool-label">{words.layout.compare}</span>
      </button>
      <ExportMenu {...props} />
    </div>
  );
}

function WasteBar({ share }: { share: number }): JSX.Element {
  return (
    <div class="waste" aria-hidden="true">
      <div style={{ width: `${(1 - share) * 100}%` }} />
    </div>
  );
}

/** How much of the memory is padding, as a bar and in words. */
export function Waste({ info }: { info: LayoutInfo }): JSX.Element {
  const share = info.physicalBytes > 0 ? 1 - info.logicalBytes / info.physicalBytes : 0;
  return (
    <div class="sizes">
      <WasteBar share={share} />
      <p class="sizes-line">
        <strong>{share > 0 ? layoutWords.waste(percent(share)) : layoutWords.noWaste}</strong>
        {share > 0 && <span>{info.sizes}</span>}
        {info.causes.map((cause) => (
          <span key={cause} class="cause">
            {cause}
          </span>
        ))}
      </p>
    </div>
  );
}

export function Sizes({ info }: { info: LayoutInfo }): JSX.Element {
  return (
    <section class="sizes" aria-label={layoutWords.physical}>
      <dl class="facts">
        <div>
          <dt>{layoutWords.elements}</dt>
          <dd>{integer(info.logicalElements)}</dd>
        </div>
        <div>
          <dt>{layoutWords.physical}</dt>
          <dd>{`${integer(info.physicalElements)} × ${layoutWords.bits(info.elementBits)} = ${bytes(info.physicalBytes)}`}</dd>
        </div>
        <div>
          <dt>{layoutWords.dims}</dt>
          <dd class="mono">{info.physicalDims.join(" × ") || "1"}</dd>
        </div>
        {info.formula && (
          <div>
            <dt>{layoutWords.offsetFormula}</dt>
            <dd class="mono">{info.formula}</dd>
          </div>
        )}
        {info.facts.map((fact) => (
          <dd key={fact}>{fact}</dd>
        ))}
      </dl>
      <dl class="facts terms">
        {info.terms.map(({ term, text }) => (
          <div key={term} title={layoutWords.termHints[term]}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
