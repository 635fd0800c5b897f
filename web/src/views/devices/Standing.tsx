/** How the devices stand at any step of the run, and what one of them holds then. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { DevicesResult, RunOptions } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { EngineLink } from "../../app/engine_link";
import { useAnswer } from "../../ui/answer";
import { ScrollTable } from "../../ui/ScrollTable";
import { DeviceGrid } from "./DeviceGrid";
import { devicesSession } from "./session";
import { deviceWords as w } from "./words";

/** Far behind the end of any run. */
const END = Number.MAX_SAFE_INTEGER;

interface StandingProps {
  app: App;
  answer: DevicesResult;
  options: RunOptions;
  /** The one that followed the run. */
  engine: EngineLink;
  /** Changes with the run. */
  run: string;
  /** Before the last member comes; null: at the end. */
  position: number | null;
  members: readonly number[];
}

export function Standing(props: StandingProps): JSX.Element | null {
  const { app, answer, options, engine, run, position, members } = props;
  const { moment: step, device } = devicesSession(app);
  const stood = useRef({ position, run });
  useEffect(() => {
    const before = stood.current;
    stood.current = { position, run };
    if (before.position !== position || before.run !== run) step.value = null;
  }, [position, run]);
  const wanted = step.value ?? position ?? END;
  const text = app.state.text.value;
  // A link may name a device that this run has not.
  const holder = Math.min(device.value, answer.end.length - 1);
  const at = useAnswer(JSON.stringify([run, wanted, holder]), () =>
    engine.call("devicesAt", [text, options, wanted, holder]),
  ).value;
  if (!at) return null;
  const title = step.value !== null ? w.standing : w.grid(position === null);
  const go = (to: number): void => {
    step.value = Math.max(0, Math.min(at.length, to));
  };
  return (
    <>
      <p class="device-step">
        <label>
          {w.step}{" "}
          <input
            type="range"
            min={0}
            max={at.length}
            value={Math.min(wanted, at.length)}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
        </label>
        <span class="mono">{w.stepOf(at.position, at.length)}</span>
        {at.last && <span class="mono muted device-last">{w.stepLine(at.last)}</span>}
        {step.value !== null && position !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              step.value = null;
            }}
          >
            {w.followExchange}
          </button>
        )}
      </p>
      <DeviceGrid
        app={app}
        answer={answer}
        states={at.states}
        members={members}
        title={title}
        chosen={holder}
        onChoose={(next) => {
          device.value = next;
        }}
      />
      <h3>{w.held(holder)}</h3>
      {at.held.length === 0 ? (
        <p class="muted">{w.holdsNothing}</p>
      ) : (
        <ScrollTable class="shard-table" label={w.held(holder)} columns={w.heldColumns}>
          {at.held.map(({ shown, shape, text: value }, i) => (
            <tr key={i}>
              <th scope="row" class="mono">
                {shown}
              </th>
              <td class="mono">{shape}</td>
              <td class="mono">{value}</td>
            </tr>
          ))}
        </ScrollTable>
      )}
    </>
  );
}
