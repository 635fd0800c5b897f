/** The exchanges of the last run, one after another, and its devices at each. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { DeviceExchange, DevicesResult, RunOptions } from "../../../../wasm/engine_api";
import { run, selectInstruction } from "../../app/actions";
import { type App, perPage } from "../../app/app";
import type { Grid } from "../../app/device_inputs";
import type { EngineLink } from "../../app/engine_link";
import { ranOutOfTime } from "../../app/engines";
import { runOptionsOf } from "../../app/run_options";
import { useAnswer } from "../../ui/answer";
import { Empty } from "../../ui/Empty";
import { Exchange } from "./Exchange";
import { Standing } from "./Standing";
import { devicesSession } from "./session";
import { Waits } from "./Waits";
import { deviceWords as w } from "./words";

/** Seconds that the run is followed at first: other questions wait for so long. */
const FOLLOWED = 3;

/** Where a run is followed for longer: no other question waits. */
const follower = perPage((app): EngineLink => app.engines.another());

function optionsOf(app: App, grid: Grid, timeLimit: number): RunOptions {
  const { inputs, settings, check } = app.state;
  const given = inputs.value.slice(0, check.value?.parameters.length ?? 0);
  return { ...runOptionsOf(given, grid, settings.value), timeLimit };
}

/** The exchanges of a run, and what was run. */
interface Asked {
  result: DevicesResult;
  options: RunOptions;
  /** Seconds that it was followed at most. */
  limit: number;
  engine: EngineLink;
}

async function ask(app: App, grid: Grid, limit: number): Promise<Asked> {
  const options = optionsOf(app, grid, limit);
  const engine = limit > FOLLOWED ? follower(app) : app.engines.typing;
  const result = await engine.call("devices", [app.state.text.value, options]);
  return { result, options, limit, engine };
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

/** Why there is no more, and the way on where it was this view that stopped. */
function Fault(props: { message: string; asked: Asked; most: number; onLonger(): void }) {
  const { message, asked, most, onLonger } = props;
  const isOwn = ranOutOfTime(asked.result) && asked.limit < most;
  return (
    <p class={isOwn ? "device-cut" : "device-fault"} role="alert">
      {isOwn ? w.tookLonger(asked.limit) : message}{" "}
      {isOwn && (
        <button type="button" onClick={onLonger}>
          {w.followLonger(most)}
        </button>
      )}
    </p>
  );
}

function Followed(props: { app: App; run: string; asked: Asked; onLonger(): void }): JSX.Element {
  const { app, run: key, asked, onLonger } = props;
  const answer = asked.result;
  const { exchanges, more, diagnostics } = answer;
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const at = Math.min(devicesSession(app).exchange.value, exchanges.length + 1);
  const exchange = exchanges[at - 1];
  return (
    <>
      {fault && (
        <Fault
          message={fault.message}
          asked={asked}
          most={app.state.settings.value.timeLimit}
          onLonger={onLonger}
        />
      )}
      {exchanges.length === 0 && answer.ok && <p class="muted">{w.noExchange}</p>}
      {exchanges.length > 0 && <Stepper app={app} answer={answer} at={at} />}
      {more && <p class="muted">{w.firstOnes(exchanges.length)}</p>}
      {exchange && <Exchange key={at} exchange={exchange} to={devicesSession(app).to} />}
      {!exchange && <Waits states={answer.end} />}
      {answer.end.length > 0 && (
        <Standing
          app={app}
          answer={answer}
          options={asked.options}
          engine={asked.engine}
          run={key}
          position={exchange?.position ?? null}
          members={exchange?.members ?? []}
        />
      )}
    </>
  );
}

export function RunDevices({ app, grid }: { app: App; grid: Grid }): JSX.Element {
  const { text, phase, results, runFaults, settings } = app.state;
  const isOver = phase.value !== "running" && phase.value !== "idle";
  const ran = [results.value?.text, runFaults.value?.text].includes(text.value);
  const key = isOver && ran ? `${app.runTurn} ${text.value}` : "";
  // The run that is followed for as long as it may take.
  const longer = useSignal("");
  const isLonger = key !== "" && longer.value === key;
  const most = settings.value.timeLimit;
  const limit = isLonger ? most : Math.min(most, FOLLOWED);
  const question = key && `${limit} ${key}`;
  const answer = useAnswer(question, () => (key ? ask(app, grid, limit) : null)).value;
  useEffect(() => (isLonger ? () => follower(app).cancel() : undefined), [question]);
  const isThere = answer?.limit === limit;
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
      {key && !isThere && (
        <p class="muted" role="status">
          {w.asking}
        </p>
      )}
      {key && answer && isThere && (
        <Followed
          app={app}
          run={question}
          asked={answer}
          onLonger={() => {
            longer.value = key;
          }}
        />
      )}
    </section>
  );
}
