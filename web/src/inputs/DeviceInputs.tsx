/** What single devices get of an input, where a program runs on several. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { setInput } from "../app/actions";
import type { App } from "../app/app";
import { devicesOf, gridOf, partsOf, specOfDevice, withDevice } from "../app/device_inputs";
import { inputWords as w } from "./words";

/** A field each for so many devices. */
const MOST_DEVICES = 64;

export function DeviceInputs(props: { app: App; at: number; name: string }): JSX.Element | null {
  const { app, at, name } = props;
  const isOpen = useSignal(false);
  const grid = gridOf(app.state.check.value, app.state.settings.value);
  const count = grid.replicas * grid.partitions;
  if (count < 2) return null;
  const { text = "", file = null } = app.state.inputs.value[at] ?? {};
  const own = partsOf(text).own.length;
  return (
    <div class="device-inputs">
      <button
        type="button"
        class="quiet"
        aria-expanded={isOpen.value}
        aria-label={`${w.devices(own)}: ${w.devicesLabel(name)}`}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {w.devices(own)}
      </button>
      {isOpen.value && (
        <div class="device-rows">
          {devicesOf(grid, MOST_DEVICES).map((device) => {
            const label = w.device(device.replica, device.partition);
            return (
              <label key={label}>
                <span class="muted">{label}</span>
                <input
                  type="text"
                  class="mono"
                  spellcheck={false}
                  autocomplete="off"
                  placeholder={w.asAll}
                  value={specOfDevice(text, device)}
                  onInput={(event) =>
                    setInput(app, at, {
                      text: withDevice(text, device, event.currentTarget.value),
                      file,
                    })
                  }
                />
              </label>
            );
          })}
          {count > MOST_DEVICES && <p class="muted">{w.moreDevices(MOST_DEVICES, count)}</p>}
        </div>
      )}
    </div>
  );
}
