/** The settings of a run: a button that says which are not as usual, and opens all of them. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../app/app";
import { type RunSettings, SETTINGS } from "../app/settings";
import { settingsOpen } from "../app/settings_panel";
import { words } from "../strings";
import { Icon } from "../ui/Icon";
import { lazy } from "../ui/lazy";
import { useOpen } from "../ui/outside";

const SettingsForm = lazy(async () => (await import("./SettingsForm")).SettingsForm);

/** "Seed 7": what differs from the defaults, a text each. */
function differences(settings: RunSettings): string[] {
  const w = words.inputs;
  return SETTINGS.flatMap((setting) => {
    const value = settings[setting.key];
    if (value === setting.default) return [];
    if ("other" in setting) return [w.not(w[setting.key])];
    if ("choices" in setting) return [`${w[setting.key]} ${w.fills[value as ""]}`];
    return [`${w[setting.key]} ${Number(value) / setting.unit}`];
  });
}

export function SettingsButton({ app }: { app: App }): JSX.Element {
  const { open, box } = useOpen(settingsOpen(app));
  const button = useRef<HTMLButtonElement>(null);
  // Opened by a command, it has the keys.
  useEffect(() => {
    if (open.value && !box.current?.contains(document.activeElement)) button.current?.focus();
  }, [open.value]);
  const changed = differences(app.state.settings.value);
  const label = words.inputs.settings;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in the fields
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open.value) return;
        open.value = false;
        button.current?.focus();
        event.stopPropagation();
      }}
    >
      <button
        ref={button}
        type="button"
        class="tool"
        title={[label, ...changed].join("\n")}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="settings" />
        <span class="tool-label">{label}</span>
        {changed[0] && (
          <span class="badge">
            {app.state.narrow.value
              ? changed.length
              : `${changed[0]}${changed.length > 1 ? ` +${changed.length - 1}` : ""}`}
          </span>
        )}
      </button>
      {open.value && (
        <div class="menu-list settings" role="dialog" aria-label={label}>
          <SettingsForm app={app} />
        </div>
      )}
    </div>
  );
}
