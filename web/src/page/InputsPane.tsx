/** One row per parameter of the entry computation. */
import type { JSX } from "preact";
import type { ParameterInfo } from "../../../wasm/engine_api";
import { setInput } from "../app/actions";
import type { App } from "../app/app";
import { partsOf, withShared } from "../app/device_inputs";
import { withFiles } from "../app/later_files";
import type { InputSpec } from "../app/state";
import { words } from "../strings";
import { bytes } from "../ui/format";
import { Icon } from "../ui/Icon";
import { lazy } from "../ui/lazy";

const InputTools = lazy(async () => (await import("../inputs/InputTools")).InputTools);

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

interface RowProps {
  app: App;
  /** The number of the parameter. */
  at: number;
  parameter: ParameterInfo;
}

/** Where the program has unknown sizes, the user enters them. */
function OpenType(props: RowProps): JSX.Element {
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

/** A file for an input: `.npy`, `.npz`, or rows of numbers. */
function FileButton({ app, at, parameter }: RowProps): JSX.Element {
  const label = words.inputs.npyLabel(parameter.name);
  return (
    <label class="file-button" title={label}>
      <input
        type="file"
        accept=".npy,.npz,.csv,.tsv,.txt"
        class="visually-hidden"
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) withFiles(app, (files) => files.openFile(app, file, at));
        }}
      />
      <span aria-hidden="true">{words.inputs.npy}</span>
    </label>
  );
}

function InputRow(props: RowProps): JSX.Element {
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
        <OpenType {...props} />
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
          <FileButton {...props} />
        </span>
      )}
      <InputTools {...props} />
    </div>
  );
}

/** A field each for so many parameters. */
const MOST_ROWS = 500;

export function InputsPane({ app }: { app: App }): JSX.Element {
  const check = app.state.check.value;
  const parameters = check?.parameters ?? [];
  const count = check?.parameterCount ?? 0;
  const w = words.inputs;
  return (
    <section class="inputs" aria-label={w.heading}>
      <div class="inputs-head">
        <h2>{w.heading}</h2>
      </div>
      {parameters.length === 0 ? (
        // Of a program that the engine has not read yet nothing is known.
        check && <p class="muted none">{w.none}</p>
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
