/** How the devices stand at any step of the run, and what one of them holds then. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { DevicesAt, DevicesResult, RunOptions } from "../../../../wasm/engine_api";
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

interface StepLineProps {
  app: App;
  at: DevicesAt;
  wanted: number;
  /** The moment is not that of the exchange on the screen, which there is. */
  isApart: boolean;
}

/** The moment: a slider over the run, and the step that has just been taken. */
function StepLine({ app, at, wanted, isApart }: StepLineProps): JSX.Element {
  const { moment: step } = devicesSession(app);
  return (
    <p class="device-step">
      <label>
        {w.step}{" "}
        <input
          type="range"
          min={0}
          max={at.length}
          value={Math.min(wanted, at.length)}
          onInput={(event) => {
            const to = Number(event.currentTarget.value);
            step.value = Math.max(0, Math.min(at.length, to));
          }}
        />
      </label>
      <span class="mono">{w.stepOf(at.position, at.length)}</span>
      {at.last && <span class="mono muted device-last">{w.stepLine(at.last)}</span>}
      {isApart && (
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
  );
}

/** The values that a device holds. */
function Held({ device, held }: { device: number; held: DevicesAt["held"] }): JSX.Element {
  return (
    <>
      <h3>{w.held(device)}</h3>
      {held.length === 0 ? (
        <p class="muted">{w.holdsNothing}</p>
      ) : (
        <ScrollTable class="shard-table" label={w.held(device)} columns={w.heldColumns}>
          {held.map(({ shown, shape, text: value }, i) => (
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
  const isApart = step.value !== null;
  return (
    <>
      <StepLine app={app} at={at} wanted={wanted} isApart={isApart && position !== null} />
      <DeviceGrid
        app={app}
        answer={answer}
        states={at.states}
        members={members}
        title={isApart ? w.standing : w.grid(position === null)}
        chosen={holder}
        onChoose={(next) => {
          device.value = next;
        }}
      />
      <Held device={holder} held={at.held} />
    </>
  );
}
