/** One value: as a grid, a table or text, with its statistics. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type {
  LayoutInfo,
  ValueInfo,
  ValueRef,
  ValueStats,
  WhyResult,
} from "../../../../wasm/engine_api";
import { followPath, selectElement } from "../../app/actions";
import type { App } from "../../app/app";
import type { Results } from "../../app/state";
import { bytes, integer, significant } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { lazy } from "../../ui/lazy";
import { isBrief, originOf, selectedElement, selectRow } from "../../why/asking";
import { FIGURES, type Figure, type Mode, valuesSession } from "./session";
import { ValueGrid } from "./ValueGrid";
import { ValueTable } from "./ValueTable";
import { ValueTools } from "./ValueTools";
import { valueWords } from "./words";
import "./values.css";

const MOST_TEXT = 10_000;

const FigureView = lazy(async () => (await import("./figures/FigureView")).FigureView);

const figureOf = (mode: Mode): Figure | undefined => FIGURES.find((figure) => figure === mode);

/** Asks about a value, and again when the value changes. */
function useAnswer<T>(key: string, ask: () => Promise<T>): { answer: T | null; failed: boolean } {
  const state = useSignal<{ answer: T | null; failed: boolean }>({ answer: null, failed: false });
  useEffect(() => {
    let current = true;
    state.value = { answer: null, failed: false };
    ask().then(
      (answer) => {
        if (current) state.value = { answer, failed: false };
      },
      () => {
        if (current) state.value = { answer: null, failed: true };
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  return state.value;
}

/** The instruction that first made what is no number. */
function Origin({ app, valueRef }: { app: App; valueRef: ValueRef }): JSX.Element | null {
  const w = valueWords.stats;
  const results = app.state.results.value;
  const { answer } = useAnswer<WhyResult | null>(JSON.stringify(valueRef), async () => {
    const element = selectedElement(app);
    if (!results || !element || !isBrief(results)) return null;
    return originOf(app, results, { ...element, index: null });
  });
  const made = answer?.complete ? answer.rows.at(-1) : undefined;
  if (!made) return null;
  if (answer?.rows.length === 1) return <span>{w.own}</span>;
  return (
    <button type="button" class="quiet" onClick={() => selectRow(app, made, made.range)}>
      {w.origin} <code>{made.shown}</code>
    </button>
  );
}

function Stats({ app, valueRef }: { app: App; valueRef: ValueRef }): JSX.Element {
  const { answer } = useAnswer<ValueStats>(JSON.stringify(valueRef), () =>
    app.engines.results.call("valueStats", [valueRef]),
  );
  if (!answer) return <p class="stats">&nbsp;</p>;
  const w = valueWords.stats;
  const fact = (name: string, value: string): JSX.Element => (
    <span key={name}>
      {name} <b>{value}</b>
    </span>
  );
  const bad = answer.firstNonFinite;
  return (
    <p class="stats">
      {fact(w.elements, integer(answer.count))}
      {answer.count > answer.nans + answer.infinities && (
        <>
          {fact(w.min, significant(answer.min))}
          {fact(w.max, significant(answer.max))}
          {fact(w.mean, significant(answer.mean))}
        </>
      )}
      {answer.nans > 0 && fact(w.nans, integer(answer.nans))}
      {answer.infinities > 0 && fact(w.infinities, integer(answer.infinities))}
      {bad && (
        <button type="button" class="quiet" onClick={() => selectElement(app, bad)}>
          {w.goTo}
        </button>
      )}
      {bad && <Origin app={app} valueRef={valueRef} />}
    </p>
  );
}

function Text({ app, valueRef }: { app: App; valueRef: ValueRef }): JSX.Element {
  const { answer, failed } = useAnswer<string>(JSON.stringify(valueRef), () =>
    app.engines.results.call("valueText", [valueRef, MOST_TEXT]),
  );
  if (failed) return <p class="empty">{valueWords.unavailable}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre class="value-text" tabIndex={0}>
      {answer}
    </pre>
  );
}

function TupleElements({ app, value }: { app: App; value: ValueInfo }): JSX.Element {
  const path = app.state.choice.value?.path ?? [];
  return (
    <div class="tuple">
      <p class="muted">{valueWords.tuple}</p>
      <ul>
        {value.elements.map((element, i) => (
          <li key={i}>
            <button type="button" onClick={() => followPath(app, [...path, i])}>
              <b>{i}</b>
              <code>{element.shape}</code>
              <span class="preview">{element.preview}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The bytes of an array as its layout has it: padded, or several elements to a byte. */
function Size({ app, value }: { app: App; value: ValueInfo }): JSX.Element {
  const { answer, failed } = useAnswer<LayoutInfo>(value.shape, () =>
    app.engines.typing.call("layout", [value.shape]),
  );
  if (answer?.ok) {
    return (
      <span class="muted" title={answer.sizes}>
        {bytes(answer.physicalBytes)}
      </span>
    );
  }
  return <span class="muted">{answer || failed ? bytes(value.bytes) : ""}</span>;
}

function Head(props: { app: App; value: ValueInfo; name: string }): JSX.Element {
  const choice = props.app.state.choice.value;
  return (
    <h2 class="detail-head">
      {choice && choice.path.length > 0 && (
        <button
          type="button"
          class="quiet"
          aria-label={valueWords.back}
          title={valueWords.back}
          onClick={() => followPath(props.app, choice.path.slice(0, -1))}
        >
          <Icon name="up" />
        </button>
      )}
      <span class="mono">
        {props.name}
        {choice?.path.map((i) => `[${i}]`).join("")}
      </span>
      <span class="mono muted" title={props.value.shape}>
        {props.value.shape}
      </span>
      {props.value.kind === "array" ? <Size app={props.app} value={props.value} /> : <span />}
    </h2>
  );
}

export function ValueDetail({ app, results }: { app: App; results: Results }): JSX.Element {
  const chosen = app.state.chosen.value;
  const choice = app.state.choice.value;
  if (!chosen || !choice) return <p class="empty">{valueWords.choose}</p>;
  const { value, entry } = chosen;
  const mode = valuesSession(app).mode.value;
  const figure = figureOf(mode);
  const name = entry?.shown ?? valueWords.output;
  const valueRef: ValueRef = {
    handle: results.run.handle,
    entry: choice.entry,
    path: choice.path,
  };
  return (
    <section class="value-detail" aria-label={valueWords.grid(name)}>
      <Head app={app} value={value} name={name} />
      {entry?.dropped && <p class="empty">{valueWords.dropped}</p>}
      {value.kind === "tuple" && <TupleElements app={app} value={value} />}
      {value.kind === "token" && <p class="empty">{valueWords.token}</p>}
      {value.kind === "array" && !entry?.dropped && (
        <>
          <ValueTools
            app={app}
            results={results}
            value={value}
            valueRef={valueRef}
            name={entry?.name ?? name}
          />
          {value.dims.includes(0) ? (
            <p class="empty">{valueWords.empty0}</p>
          ) : (
            <>
              {mode === "grid" && <ValueGrid app={app} value={value} valueRef={valueRef} />}
              {mode === "table" && <ValueTable app={app} value={value} valueRef={valueRef} />}
              {mode === "text" && <Text app={app} valueRef={valueRef} />}
              {figure && <FigureView app={app} value={value} valueRef={valueRef} figure={figure} />}
            </>
          )}
          {mode !== "statistics" && <Stats app={app} valueRef={valueRef} />}
        </>
      )}
    </section>
  );
}
