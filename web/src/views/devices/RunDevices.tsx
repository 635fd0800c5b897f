/** The exchanges of the last run, one after another, and its devices at each. */
import type { JSX } from "preact";
import type { DeviceExchange, DevicesResult, RunOptions } from "../../../../wasm/engine_api";
import { run, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { engineInputs, type Grid } from "../../app/device_inputs";
import { useAnswer } from "../../ui/answer";
import { Empty } from "../../ui/Empty";
import { Exchange } from "./Exchange";
import { Standing } from "./Standing";
import { devicesSession } from "./session";
import { Waits } from "./Waits";
import { deviceWords as w } from "./words";

/** Seconds that the run is followed: other questions wait for so long. */
const FOLLOWED = 3;

function optionsOf(app: App, grid: Grid): RunOptions {
  const { inputs, settings, check } = app.state;
  const given = inputs.value.slice(0, check.value?.parameters.length ?? 0);
  return {
    ...settings.value,
    ...engineInputs(
      given.map((input) => input.text),
      grid,
    ),
    files: given.flatMap(({ file }, parameter) => (file ? [{ parameter, bytes: file.bytes }] : [])),
    timeLimit: Math.min(settings.value.timeLimit, FOLLOWED),
  };
}

/** The exchanges of a run, and what was run. */
interface Asked {
  result: DevicesResult;
  options: RunOptions;
}

async function ask(app: App, grid: Grid): Promise<Asked> {
  const options = optionsOf(app, grid);
  const result = await app.engines.typing.call("devices", [app.state.text.value, options]);
  return { result, options };
}

/** Also moves the cursor of the editor there. */
function show(app: App, at: number, exchange: DeviceExchange | undefined): void {
  devicesSession(app).exchange.value = at;
  if (!exchange) return;
  selectInstruction(app, exchange);
  app.editor?.goTo(exchange.range, false);
}

function Stepper(props: { app: App; answer: DevicesResult; at: number }): JSX.Element {
  const { app, answer, at } = props;
  const { exchanges } = answer;
  const last = exchanges.length + 1;
  const go = (to: number): void => show(app, to, exchanges[to - 1]);
  return (
    <div class="exchange-steps">
      <button type="button" disabled={at <= 1} onClick={() => go(at - 1)}>
        {w.previous}
      </button>
      <button type="button" disabled={at >= last} onClick={() => go(at + 1)}>
        {w.next}
      </button>
      <label>
        {w.exchange}{" "}
        <select
          value={String(at)}
          onChange={(event) => {
            go(Number(event.currentTarget.value));
          }}
        >
          {exchanges.map(({ shown, opcode, round }, i) => (
            <option key={`${shown} ${round} ${exchanges[i]?.members[0]}`} value={String(i + 1)}>
              {w.exchangeName(i + 1, shown, opcode, round)}
            </option>
          ))}
          <option value={String(last)}>{answer.ok ? w.theEnd : w.theFailure}</option>
        </select>
      </label>
      <span class="muted">{at < last && w.exchangeOf(at, exchanges.length)}</span>
    </div>
  );
}

function Followed(props: { app: App; run: string; asked: Asked }): JSX.Element {
  const { app, run: key, asked } = props;
  const answer = asked.result;
  const { exchanges, more, diagnostics } = answer;
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const at = Math.min(devicesSession(app).exchange.value, exchanges.length + 1);
  const exchange = exchanges[at - 1];
  return (
    <>
      {fault && (
        <p class="device-fault" role="alert">
          {fault.message}
        </p>
      )}
      {exchanges.length === 0 && answer.ok && <p class="muted">{w.noExchange}</p>}
      {exchanges.length > 0 && <Stepper app={app} answer={answer} at={at} />}
      {more && <p class="muted">{w.firstOnes(exchanges.length)}</p>}
      {exchange && <Exchange key={at} exchange={exchange} />}
      {!exchange && <Waits states={answer.end} />}
      {answer.end.length > 0 && (
        <Standing
          app={app}
          answer={answer}
          options={asked.options}
          run={key}
          position={exchange?.position ?? null}
          members={exchange?.members ?? []}
        />
      )}
    </>
  );
}

export function RunDevices({ app, grid }: { app: App; grid: Grid }): JSX.Element {
  const { text, phase, results, runFaults } = app.state;
  const isOver = phase.value !== "running" && phase.value !== "idle";
  const ran = [results.value?.text, runFaults.value?.text].includes(text.value);
  const key = isOver && ran ? `${app.runTurn} ${text.value}` : "";
  const answer = useAnswer(key, () => (key ? ask(app, grid) : null)).value;
  return (
    <section class="devices-part" aria-label={w.run}>
      <h2>{w.run}</h2>
      {!key && phase.value !== "running" && (
        <Empty
          sentence={w.notRun(grid.replicas * grid.partitions)}
          action={w.runIt}
          onAction={() => void run(app)}
        />
      )}
      {key && !answer && <p class="muted">{w.asking}</p>}
      {key && answer && <Followed app={app} run={key} asked={answer} />}
    </section>
  );
}
