/** One row per parameter of the entry computation, and the limits of a run. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ParameterInfo } from "../../../wasm/engine_api";
import { changeSettings, notify, setInput } from "../app/actions";
import type { App } from "../app/app";
import { FILLS, type InputSpec, LIMITS } from "../app/state";
import { words } from "../strings";
import { bytes } from "../ui/format";
import { Icon } from "../ui/Icon";

/** Larger files would not fit under the default memory limit either. */
const MAX_FILE = 512 * 1024 * 1024;

async function readNpy(app: App, parameter: number, file: File | undefined): Promise<void> {
  if (!file) return;
  if (file.size > MAX_FILE) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  const data = new Uint8Array(await file.arrayBuffer());
  setInput(app, parameter, { text: "", file: { name: file.name, bytes: data } });
}

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
        onClick={() => setInput(app, at, { text: "", file: null })}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** "f32[3,4] iota" is a type and what is made of it. */
export function splitSpec(text: string): { type: string; rest: string } {
  const found = /^\s*(tensor<[^>]*>|[a-z]\w*\[[^\]]*\](?:\{[^}]*\})?)\s*/.exec(text);
  return found
    ? { type: found[1] ?? "", rest: text.slice(found[0].length) }
    : { type: "", rest: text };
}

const joinSpec = (type: string, rest: string): string => [type, rest].filter(Boolean).join(" ");

/** Where the program leaves sizes open, the person says them. */
function OpenType(props: { app: App; at: number; parameter: ParameterInfo }): JSX.Element {
  const { app, at, parameter } = props;
  const spec = app.state.inputs.value[at] ?? { text: "", file: null };
  const { type, rest } = splitSpec(spec.text);
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
      onInput={(event) =>
        setInput(app, at, { text: joinSpec(event.currentTarget.value, rest), file: null })
      }
    />
  );
}

function InputRow(props: { app: App; at: number; parameter: ParameterInfo }): JSX.Element {
  const { app, at, parameter } = props;
  const spec = app.state.inputs.value[at] ?? { text: "", file: null };
  const generators = words.inputs.generators;
  const open = parameter.openType !== "";
  const { type, rest } = open ? splitSpec(spec.text) : { type: "", rest: spec.text };
  const set = (text: string): void => setInput(app, at, { text: joinSpec(type, text), file: null });
  const known = generators.some(([value]) => value === rest);
  const w = words.inputs;
  return (
    <div class="input-row">
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
              onChange={(event) => void readNpy(app, at, event.currentTarget.files?.[0])}
            />
            <span aria-hidden="true">{w.npy}</span>
          </label>
        </span>
      )}
    </div>
  );
}

function Setting(props: {
  label: string;
  value: number;
  limits: readonly [number, number];
  onChange(value: number): void;
}): JSX.Element {
  const [min, max] = props.limits;
  // What is being typed stays, whatever else changes on the page meanwhile.
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

const MIB = 2 ** 20;

export function InputsPane({ app }: { app: App }): JSX.Element {
  const parameters = app.state.check.value?.parameters ?? [];
  const settings = app.state.settings.value;
  const w = words.inputs;
  return (
    <section class="inputs" aria-label={w.heading}>
      <div class="inputs-head">
        <h2>{w.heading}</h2>
        <Setting
          label={w.seed}
          value={settings.seed}
          limits={LIMITS.seed}
          onChange={(seed) => changeSettings(app, { seed })}
        />
        <Setting
          label={w.timeLimit}
          value={settings.timeLimit}
          limits={LIMITS.timeLimit}
          onChange={(timeLimit) => changeSettings(app, { timeLimit })}
        />
        <Setting
          label={w.memoryLimit}
          value={settings.memoryLimit / MIB}
          limits={[LIMITS.memoryLimit[0] / MIB, LIMITS.memoryLimit[1] / MIB]}
          onChange={(mib) => changeSettings(app, { memoryLimit: mib * MIB })}
        />
        {(settings.fillElided !== "" || app.state.text.value.includes("{...}")) && (
          <label>
            <span>{w.fillElided}</span>
            <select
              value={settings.fillElided}
              onChange={(event) => {
                const fillElided = FILLS.find((fill) => fill === event.currentTarget.value);
                changeSettings(app, { fillElided: fillElided ?? "" });
              }}
            >
              {FILLS.map((fill) => (
                <option key={fill} value={fill}>
                  {w.fills[fill]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {parameters.length === 0 ? (
        <p class="muted none">{w.none}</p>
      ) : (
        <div class="input-rows">
          {parameters.slice(0, 500).map((parameter, at) => (
            <InputRow key={at} app={app} at={at} parameter={parameter} />
          ))}
        </div>
      )}
    </section>
  );
}
