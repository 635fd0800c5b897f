/** What can be set of a run, a field each. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { changeSettings } from "../app/actions";
import type { App } from "../app/app";
import { changedSettings, DEFAULT_SETTINGS, SETTINGS } from "../app/settings";
import { words } from "../strings";
import { Check } from "../ui/Check";
import "./settings.css";
import { settingHints, settingWords } from "./words";

function NumberField(props: {
  label: string;
  value: number;
  limits: readonly [number, number];
  isWhole: boolean;
  onChange(value: number): void;
}): JSX.Element {
  const [min, max] = props.limits;
  const id = useId();
  // Text being typed is kept when other state changes, and text that is refused until there is a better one.
  const draft = useSignal<string | null>(null);
  const isRefused = useSignal(false);
  useEffect(() => {
    draft.value = null;
    isRefused.value = false;
  }, [props.value]);
  return (
    <>
      <label>
        <span>{props.label}</span>
        <input
          type="number"
          min={min}
          max={max}
          step={props.isWhole ? 1 : "any"}
          value={draft.value ?? props.value}
          aria-invalid={isRefused.value}
          aria-describedby={isRefused.value ? id : undefined}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
            isRefused.value = false;
          }}
          onBlur={() => {
            if (!isRefused.value) draft.value = null;
          }}
          onChange={(event) => {
            const { value: text, valueAsNumber: value } = event.currentTarget;
            const isAllowed =
              value >= min && value <= max && (!props.isWhole || Number.isInteger(value));
            isRefused.value = !isAllowed;
            draft.value = isAllowed ? null : text;
            if (isAllowed) props.onChange(value);
          }}
        />
      </label>
      {isRefused.value && (
        <p class="refused" id={id} role="alert">
          {settingWords.allowed(min, max, props.isWhole, props.value)}
        </p>
      )}
    </>
  );
}

function Setting(props: { app: App; setting: (typeof SETTINGS)[number] }): JSX.Element {
  const { app, setting } = props;
  const w = words.inputs;
  const { settings } = app.state;
  if ("other" in setting) {
    const { key, other } = setting;
    return (
      <Check
        isOn={settings.value[key]}
        onChange={(isOn) =>
          changeSettings(app, { [key]: isOn, ...(isOn ? {} : { [other]: true }) })
        }
        hint={settingWords.switchHints[key]}
      >
        {w[key]}
      </Check>
    );
  }
  if (!("choices" in setting)) {
    const { key, unit, least, most, isWhole } = setting;
    return (
      <NumberField
        label={w[key]}
        value={settings.value[key] / unit}
        limits={[least / unit, most / unit]}
        isWhole={isWhole}
        onChange={(value) => changeSettings(app, { [key]: value * unit })}
      />
    );
  }
  const { key, choices } = setting;
  const names = key === "fillElided" || key === "standIns" ? w.fills : settingWords[key];
  const chosen = settings.value[key];
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
            {(names as Record<string, string>)[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

export function SettingsForm({ app }: { app: App }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const changed = Object.keys(changedSettings(app.state.settings.value)).length;
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("input")?.focus(), []);
  return (
    <div class="settings-fields" ref={box}>
      <h2>{words.inputs.settings}</h2>
      {SETTINGS.map((setting) => (
        <div key={setting.key} class="setting">
          <Setting app={app} setting={setting} />
          {settingHints[setting.key] && <p class="muted">{settingHints[setting.key]}</p>}
        </div>
      ))}
      <button
        type="button"
        disabled={changed === 0}
        onClick={() => changeSettings(app, DEFAULT_SETTINGS)}
      >
        {settingWords.reset}
      </button>
    </div>
  );
}
