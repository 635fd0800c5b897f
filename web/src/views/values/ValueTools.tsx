/** What can be done with an array: ways to show it, and files of it. */
import type { JSX } from "preact";
import type { ValueInfo, ValueRef } from "../../../../wasm/engine_api";
import { notify, showViewFor } from "../../app/actions";
import type { App } from "../../app/app";
import { saveFile } from "../../app/file_saver";
import type { Results } from "../../app/state";
import { words } from "../../strings";
import { Icon } from "../../ui/Icon";
import { Menu } from "../../ui/Menu";
import { FIGURES, type Mode, valuesSession } from "./session";
import { valueWords } from "./words";

const MOST_TEXT = 10_000;

interface ToolsProps {
  app: App;
  results: Results;
  value: ValueInfo;
  valueRef: ValueRef;
  name: string;
}

async function saveNpy(app: App, valueRef: ValueRef, name: string): Promise<void> {
  const data = await app.engines.results.call("valueNpy", [valueRef]);
  saveFile(`${name || "value"}.npy`, data as BlobPart);
}

async function saveCsv({ app, value, valueRef, name }: ToolsProps): Promise<void> {
  const { csvOf, MOST_CSV } = await import("./figures/csv");
  if (value.dims.reduce((product, size) => product * size, 1) > MOST_CSV) {
    notify(app, valueWords.longCsv(MOST_CSV));
    return;
  }
  const text = await csvOf(value, valueRef, (...args) =>
    app.engines.results.call("valueWindow", args),
  );
  saveFile(`${name || "value"}.csv`, text);
}

async function saveNpz({ app, results }: ToolsProps, what: "results" | "values"): Promise<void> {
  const { saveValues } = await import("./npz");
  await saveValues(app, results, what);
}

async function copyText(app: App, valueRef: ValueRef): Promise<void> {
  const text = await app.engines.results.call("valueText", [valueRef, MOST_TEXT]);
  await navigator.clipboard.writeText(text);
  notify(app, words.values.copied);
}

function Modes({ app }: { app: App }): JSX.Element {
  const { mode } = valuesSession(app);
  const modes: [Mode, string][] = [
    ["grid", valueWords.asGrid],
    ["table", valueWords.asTable],
    ["text", valueWords.asText],
    ...FIGURES.map((figure): [Mode, string] => [figure, valueWords.figures[figure]]),
  ];
  return (
    <fieldset class="segments" aria-label={valueWords.mode}>
      {modes.map(([id, title]) => (
        <button
          key={id}
          type="button"
          aria-pressed={mode.value === id}
          onClick={() => {
            mode.value = id;
          }}
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}

/** A button that is an icon, whose words are read out and shown under the pointer. */
function Tool(props: { icon: "layout" | "copy" | "save"; label: string; act(): void }) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={props.label}
      title={props.label}
      onClick={props.act}
    >
      <Icon name={props.icon} />
    </button>
  );
}

export function ValueTools(props: ToolsProps): JSX.Element {
  const { app, valueRef, name } = props;
  return (
    <div class="detail-tools">
      <Modes app={app} />
      <span class="value-acts">
        {app.views.length > 0 && (
          <Tool icon="layout" label={valueWords.layout} act={() => showViewFor(app, "layout")} />
        )}
        <Tool icon="copy" label={valueWords.copyText} act={() => void copyText(app, valueRef)} />
        <Tool icon="save" label={valueWords.npy} act={() => void saveNpy(app, valueRef, name)} />
        <Menu
          id="value-files"
          label={valueWords.save}
          icon="file"
          items={[
            { id: "csv", label: valueWords.csv, act: () => void saveCsv(props) },
            {
              id: "results",
              label: valueWords.npzResults,
              act: () => void saveNpz(props, "results"),
            },
            { id: "values", label: valueWords.npzValues, act: () => void saveNpz(props, "values") },
          ]}
        />
      </span>
    </div>
  );
}
