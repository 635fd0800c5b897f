/** What the program is compared with, and what there is to say of that. */

import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ParameterInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { chooseProgram } from "../../app/choosing";
import { openPrograms, shownFile } from "../../app/open_files";
import { OpenFileSelect } from "../../page/OpenFileSelect";
import { settingWords } from "../../page/words";
import { words } from "../../strings";
import { Icon } from "../../ui/Icon";
import { compareRuns, lacks } from "./asking";
import { ExpectedResults } from "./ExpectedResults";
import { OTHER_CHOICES, precisionSession, REFERENCES, type Reference } from "./session";
import { precisionWords as w } from "./words";

/** More parameters than this are given by the program's own inputs alone. */
const MOST_FIELDS = 64;

/** The seed of the second run. */
function SeedField({ app }: { app: App }): JSX.Element {
  const { run } = precisionSession(app);
  return (
    <label>
      <span>{w.seed}</span>
      <input
        type="number"
        min={0}
        max={2 ** 31}
        value={run.value.seed}
        placeholder={w.same(String(app.state.settings.value.seed))}
        onInput={(event) => {
          run.value = { ...run.value, seed: event.currentTarget.value };
        }}
      />
    </label>
  );
}

/** A setting of the second run. */
function SettingField(props: { app: App; choice: (typeof OTHER_CHOICES)[number] }): JSX.Element {
  const { run } = precisionSession(props.app);
  const { key, usual, choices } = props.choice;
  const names: Record<string, string> = settingWords[key];
  return (
    <label>
      <span>{words.inputs[key]}</span>
      <select
        value={run.value[key]}
        onChange={(event) => {
          run.value = { ...run.value, [key]: event.currentTarget.value };
        }}
      >
        <option value="">{w.same(names[props.app.state.settings.value[key]] ?? "")}</option>
        {choices.map((name) => (
          <option key={name} value={name || usual}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** An input of the second run: that of a parameter. */
function InputField(props: { app: App; parameters: ParameterInfo[]; at: number }): JSX.Element {
  const { app, parameters, at } = props;
  const { run } = precisionSession(app);
  const parameter = parameters[at];
  const given = app.state.inputs.value[at];
  return (
    <label>
      <span>
        <span class="mono">{parameter?.name}</span>{" "}
        <span class="muted">{parameter?.shape.replace(/\{.*/, "")}</span>
      </span>
      <input
        type="text"
        spellcheck={false}
        value={run.value.inputs[at] ?? ""}
        placeholder={w.same(given?.file?.name ?? (given?.text || w.random))}
        onInput={(event) => {
          const inputs = parameters.map((_, i) => run.value.inputs[i] ?? "");
          inputs[at] = event.currentTarget.value;
          run.value = { ...run.value, inputs };
        }}
      />
    </label>
  );
}

/** What the second run has that the first one has not. */
function SecondRun({ app }: { app: App }): JSX.Element {
  const { reference } = precisionSession(app);
  const id = useId();
  const parameters = app.state.check.value?.parameters ?? [];
  const fields = (
    <div class="precision-fields">
      <SeedField app={app} />
      {OTHER_CHOICES.map((choice) => (
        <SettingField key={choice.key} app={app} choice={choice} />
      ))}
      {parameters.slice(0, MOST_FIELDS).map(({ name }, at) => (
        <InputField key={`${id}${name}`} app={app} parameters={parameters} at={at} />
      ))}
    </div>
  );
  if (reference.value === "inputs") return fields;
  return (
    <details class="precision-second">
      <summary>{w.secondRun}</summary>
      {fields}
    </details>
  );
}

/** Which program is the other one. */
function Other({ app }: { app: App }): JSX.Element {
  const { other } = precisionSession(app);
  return (
    <>
      {openPrograms(app.state.fileTabs.value).length > 1 ? (
        <OpenFileSelect
          app={app}
          label={w.references.other}
          other={other.value}
          none={w.noOther}
          onChoose={(program) => {
            other.value = program;
          }}
        />
      ) : (
        <strong class="precision-other">{other.value?.name ?? w.noOther}</strong>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() =>
          chooseProgram(app, (program) => {
            other.value = program;
          })
        }
      >
        <Icon name="file" />
        <span>{w.choose}</span>
      </button>
      <button
        type="button"
        class="quiet"
        title={w.keepHint}
        onClick={() => {
          const text = app.editor?.text() ?? app.state.text.peek();
          const shown = shownFile(app.state.fileTabs.peek());
          const name = (shown ? `${shown.title}, ` : "") + w.earlier;
          other.value = { name, text };
        }}
      >
        <Icon name="pin" />
        <span>{w.keep}</span>
      </button>
    </>
  );
}

export function Tools({ app }: { app: App }): JSX.Element {
  const { reference, running } = precisionSession(app);
  const stop = running.value;
  return (
    <>
      <div class="detail-tools">
        <label class="precision-reference">
          <span class="muted">{w.reference}</span>{" "}
          <select
            value={reference.value}
            onChange={(event) => {
              reference.value = event.currentTarget.value as Reference;
            }}
          >
            {REFERENCES.map((each) => (
              <option key={each} value={each}>
                {w.references[each]}
              </option>
            ))}
          </select>
        </label>
        {reference.value === "other" && <Other app={app} />}
        {stop ? (
          <button type="button" onClick={() => stop.abort()}>
            {w.stop}
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            disabled={lacks(app) !== ""}
            onClick={() => void compareRuns(app)}
          >
            {w.run}
          </button>
        )}
      </div>
      <p class="muted precision-hint">{w.referenceHint[reference.value]}</p>
      {(reference.value === "inputs" || reference.value === "other") && <SecondRun app={app} />}
      {reference.value === "expected" && <ExpectedResults app={app} />}
    </>
  );
}
