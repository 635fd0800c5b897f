/** One row per parameter of the entry computation, and the limits of a run. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ParameterInfo } from "../../../wasm/engine_api";
import { changeSettings, setInput } from "../app/actions";
import type { App } from "../app/app";
import { partsOf, withShared } from "../app/device_inputs";
import { withFiles } from "../app/later_files";
import { SETTINGS } from "../app/settings";
import type { InputSpec } from "../app/state";
import { words } from "../strings";
import { bytes } from "../ui/format";
import { Icon } from "../ui/Icon";
import { DeviceInputs } from "./DeviceInputs";

function FileChip(props: { app: App; at: number; spec: InputSpec }): JSX.Element {
  const { app, at, spec } = props;
  return (
    <span class="file-chip">
      <Icon name="file" />
      {spec.file?.name} <span class="muted">{bytes(spec.file?.bytes.length ?? 0)}</span>
      <button
        type="button"
        class="quiet"
        aria-label={words.inputs.removeFile}
        title={words.inputs.removeFile}
        onClick={() => setInput(app, at, { ...spec, file: null })}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** Splits "f32[3,4] iota" into a type and a generator. */
export function splitSpec(text: string): { type: string; rest: string } {
  const found = /^\s*(tensor<[^>]*>|[a-z]\w*\[[^\]]*\](?:\{[^}]*\})?)\s*/.exec(text);
  return found
    ? { type: found[1] ?? "", rest: text.slice(found[0].length) }
    : { type: "", rest: text };
}

const joinSpec = (type: string, rest: string): string => [type, rest].filter(Boolean).join(" ");

/** Where the program has unknown sizes, the user enters them. */
function OpenType(props: { app: App; at: number; parameter: ParameterInfo }): JSX.Element {
  const { app, at, parameter } = props;
  const spec = app.state.inputs.value[at] ?? { text: "", file: null };
  const { type, rest } = splitSpec(partsOf(spec.text).shared);
  const set = (written: string): void =>
    setInput(app, at, { text: withShared(spec.text, joinSpec(written, rest)), file: null });
  return (
    <input
      type="text"
      class="mono input-type"
      spellcheck={false}
      autocomplete="off"
      aria-label={words.inputs.typeLabel(parameter.name)}
      aria-invalid={parameter.shape === ""}
      placeholder={parameter.openType}
      title={words.inputs.typeHint(parameter.openType)}
      value={type}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

function InputRow(props: { app: App; at: number; parameter: ParameterInfo }): JSX.Element {
  const { app, at, parameter } = props;
  const spec = app.state.inputs.value[at] ?? { text: "", file: null };
  const generators = words.inputs.generators;
  const open = parameter.openType !== "";
  const { shared } = partsOf(spec.text);
  const { type, rest } = open ? splitSpec(shared) : { type: "", rest: shared };
  const set = (text: string): void =>
    setInput(app, at, { text: withShared(spec.text, joinSpec(type, text)), file: null });
  const known = generators.some(([value]) => value === rest);
  const w = words.inputs;
  return (
    <div class="input-row" data-parameter={at}>
      <span class="input-name mono" title={parameter.name}>
        {parameter.name}
      </span>
      {open ? (
        <OpenType app={app} at={at} parameter={parameter} />
      ) : (
        <span class="input-shape mono muted" title={parameter.shape}>
          {parameter.shape}
        </span>
      )}
      {spec.file ? (
        <FileChip app={app} at={at} spec={spec} />
      ) : (
        <span class="input-spec">
          <input
            type="text"
            class="mono"
            spellcheck={false}
            autocomplete="off"
            aria-label={w.label(parameter.name)}
            placeholder={w.random}
            value={rest}
            onInput={(event) => set(event.currentTarget.value)}
          />
          <select
            aria-label={w.generatorLabel(parameter.name)}
            value={known ? rest : "literal"}
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (value !== "literal") set(value);
            }}
          >
            {generators.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
            <option value="literal">{w.literal}</option>
          </select>
          <label class="file-button" title={w.npyLabel(parameter.name)}>
            <input
              type="file"
              accept=".npy"
              class="visually-hidden"
              aria-label={w.npyLabel(parameter.name)}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (file) withFiles(app, (files) => files.openFile(app, file, at));
              }}
            />
            <span aria-hidden="true">{w.npy}</span>
          </label>
        </span>
      )}
      <DeviceInputs app={app} at={at} name={parameter.name} />
    </div>
  );
}

function NumberField(props: {
  label: string;
  value: number;
  limits: readonly [number, number];
  onChange(value: number): void;
}): JSX.Element {
  const [min, max] = props.limits;
  // Text being typed is kept when other state changes.
  const draft = useSignal<string | null>(null);
  return (
    <label>
      <span>{props.label}</span>
      <input
        type="number"
        min={min}
        max={max}
        value={draft.value ?? props.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
        onBlur={() => {
          draft.value = null;
        }}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const value = Number(text);
          draft.value = null;
          if (text.trim() !== "" && value >= min && value <= max) props.onChange(value);
          else event.currentTarget.value = String(props.value);
        }}
      />
    </label>
  );
}

function Setting(props: { app: App; setting: (typeof SETTINGS)[number] }): JSX.Element | null {
  const { app, setting } = props;
  const w = words.inputs;
  const { settings, check } = app.state;
  if ("other" in setting) {
    const { key, other } = setting;
    return (
      <label class="check" title={w.switchHints[key]}>
        <input
          type="checkbox"
          checked={settings.value[key]}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            changeSettings(app, { [key]: isOn, ...(isOn ? {} : { [other]: true }) });
          }}
        />
        {w[key]}
      </label>
    );
  }
  if (!("choices" in setting)) {
    const { key, unit, least, most } = setting;
    if (setting.isRare && settings.value[key] === setting.default) return null;
    return (
      <NumberField
        label={w[key]}
        value={settings.value[key] / unit}
        limits={[least / unit, most / unit]}
        onChange={(value) => changeSettings(app, { [key]: value * unit })}
      />
    );
  }
  const { key, choices, reason } = setting;
  const chosen = settings.value[key];
  if (chosen === setting.default && !(check.value && reason(check.value))) return null;
  return (
    <label>
      <span>{w[key]}</span>
      <select
        value={chosen}
        onChange={(event) => {
          const choice = choices.find((name) => name === event.currentTarget.value);
          changeSettings(app, { [key]: choice ?? setting.default });
        }}
      >
        {choices.map((name) => (
          <option key={name} value={name}>
            {w.fills[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A field each for so many parameters. */
const MOST_ROWS = 500;

export function InputsPane({ app }: { app: App }): JSX.Element {
  const parameters = app.state.check.value?.parameters ?? [];
  const count = app.state.check.value?.parameterCount ?? 0;
  const w = words.inputs;
  return (
    <section class="inputs" aria-label={w.heading}>
      <div class="inputs-head">
        <h2>{w.heading}</h2>
        {SETTINGS.map((setting) => (
          <Setting key={setting.key} app={app} setting={setting} />
        ))}
      </div>
      {parameters.length === 0 ? (
        <p class="muted none">{w.none}</p>
      ) : (
        <div class="input-rows">
          {parameters.slice(0, MOST_ROWS).map((parameter, at) => (
            <InputRow key={at} app={app} at={at} parameter={parameter} />
          ))}
          {count > MOST_ROWS && <p class="muted">{w.more(MOST_ROWS, count)}</p>}
        </div>
      )}
    </section>
  );
}
