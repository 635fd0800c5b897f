/** A run step by step: a slider over all of it, moves, calls, devices, watches and breakpoints. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { DebugDevice, DebugState, DebugStep } from "../../../../wasm/engine_api";
import { goTo } from "../../app/actions";
import type { App } from "../../app/app";
import { isModest } from "../../app/settings";
import { isMac, keyLabel } from "../../commands/keys";
import { BeforeRun } from "../../page/BeforeRun";
import { NoAnswerYet } from "../../page/NoAnswerYet";
import { words } from "../../strings";
import { integer } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { Bands } from "./Bands";
import "./debug.css";
import { ConditionField } from "./ConditionField";
import { type Jump, Sign } from "./icons";
import { debugKeys } from "./keys";
import { OtherRun } from "./OtherRun";
import { debugRun } from "./run";
import { ShownValue } from "./ShownValue";
import { Steps } from "./Steps";
import { debugSession } from "./session";
import { Adding, Watches } from "./Watches";
import { debugWords } from "./words";

const JUMPS: readonly Jump[] = [
  "start",
  "back-continue",
  "back-out",
  "back-over",
  "back-into",
  "into",
  "over",
  "out",
  "continue",
  "end",
];

/** The first key of a move's command. */
function keyOf(jump: Jump): string {
  const key = debugKeys[jump];
  return key ? keyLabel(key, isMac()) : "";
}

function Moves({ app, state }: { app: App; state: DebugState }): JSX.Element {
  const run = debugRun(app);
  const { breakpoints } = debugSession(app);
  const perform = (id: Jump): void => {
    if (id === "start") void run.goTo(0);
    else if (id === "end") void run.goTo(state.length);
    else if (id === "continue") void run.search(breakpoints.value, false, true);
    else if (id === "back-continue") void run.search(breakpoints.value, true, true);
    else void run.move(id);
  };
  const isBack = (id: Jump): boolean => id === "start" || id.startsWith("back");
  return (
    <div class="debug-moves" role="toolbar" aria-label={words.debug.title}>
      {JUMPS.map((id) => {
        const label = debugWords.withKey(debugWords.moves[id], keyOf(id));
        return (
          <button
            key={id}
            type="button"
            title={label}
            aria-label={debugWords.moves[id]}
            disabled={isBack(id) ? state.position === 0 : state.position === state.length}
            onClick={() => perform(id)}
          >
            <Sign jump={id} />
          </button>
        );
      })}
      <button
        type="button"
        title={debugWords.cursorHint}
        onClick={() => void run.search([`line ${run.cursorLine()}`], false)}
      >
        {debugWords.cursor}
      </button>
    </div>
  );
}

function Until({ app }: { app: App }): JSX.Element {
  const run = debugRun(app);
  const { breakpoints, position } = debugSession(app);
  const text = useSignal("");
  const missed = useSignal<{ condition: string; back: boolean; from: number } | null>(null);
  const w = debugWords;
  const search = async (back: boolean): Promise<void> => {
    const condition = text.value.trim();
    if (!condition) return;
    const from = position.value;
    // Of another run the box does not know before it has been replayed.
    const fault = condition.includes("differs");
    const isMissed = await run.search([condition], back, false, { fault, none: false });
    missed.value = isMissed ? { condition, back, from } : null;
  };
  const of = missed.value;
  const isStill = of?.condition === text.value.trim() && of.from === position.value;
  return (
    <form
      class="debug-adding"
      onSubmit={(event) => {
        event.preventDefault();
        void search(false);
      }}
    >
      <ConditionField app={app} id="debug-until" label={w.until} hint={w.untilHint} text={text} />
      <button type="button" onClick={() => void search(true)}>
        {w.backward}
      </button>
      <button type="submit">{w.forward}</button>
      <button
        type="button"
        onClick={() => {
          const condition = text.value.trim();
          if (!condition || breakpoints.value.includes(condition)) return;
          breakpoints.value = [...breakpoints.value, condition];
        }}
      >
        {w.addBreakpoint}
      </button>
      <p class="debug-none muted" role="status">
        {isStill && of ? w.none(of.condition, of.back) : ""}
      </p>
    </form>
  );
}

function Stack({ app, device }: { app: App; device: DebugDevice }): JSX.Element {
  const w = debugWords;
  if (device.frames.length === 0) return <p class="muted">{w.ended}</p>;
  return (
    <ol class="debug-stack">
      {[...device.frames].reverse().map((frame, i) => (
        <li key={device.frames.length - i}>
          <button
            type="button"
            class="quiet mono flush"
            title={frame.computation}
            onClick={() => goTo(app, frame.next.range)}
          >
            {frame.computation}
          </button>
          <span class="muted">
            {frame.iterations.length > 0 && `${w.iteration(frame.iterations.join(", "))}, `}
            {frame.atEnd ? w.atEnd : frame.next.shown}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Devices({ app, state }: { app: App; state: DebugState }): JSX.Element {
  const w = debugWords;
  const { device } = debugSession(app);
  const run = debugRun(app);
  return (
    <section class="debug-part" aria-label={w.devices}>
      <h2>{w.devices}</h2>
      <ul class="debug-devices">
        {state.devices.map((each) => (
          <li key={each.device}>
            <button
              type="button"
              aria-pressed={each.device === state.device}
              onClick={() => {
                device.value = each.device;
                void run.goTo(state.position);
              }}
            >
              {w.device(each.device)}
            </button>{" "}
            <span class="muted">
              {each.frames.length === 0
                ? w.ended
                : each.waits
                  ? w.waits(each.waits.for, each.waits.missing.join(", "))
                  : (each.frames.at(-1)?.next.shown ?? "")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Breakpoints({ app }: { app: App }): JSX.Element {
  const { breakpoints } = debugSession(app);
  const w = debugWords;
  return (
    <section class="debug-part" aria-label={w.breakpoints}>
      <h2>{w.breakpoints}</h2>
      {breakpoints.value.length === 0 && <p class="muted">{w.noBreakpoints}</p>}
      <ul>
        {breakpoints.value.map((text) => (
          <li key={text} class="debug-watch">
            <code>{text}</code>
            <button
              type="button"
              class="quiet"
              aria-label={w.remove(text)}
              title={w.remove(text)}
              onClick={() => {
                breakpoints.value = breakpoints.value.filter((other) => other !== text);
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <Adding
        label={w.addBreakpoint}
        hint="line 12 and y[0] > 3"
        action={w.add}
        onAdd={(text) => {
          if (!breakpoints.value.includes(text)) breakpoints.value = [...breakpoints.value, text];
        }}
        field={(text) => (
          <ConditionField
            app={app}
            id="debug-break"
            label={w.addBreakpoint}
            hint="line 12 and y[0] > 3"
            text={text}
          />
        )}
      />
    </section>
  );
}

const placeOf = ({ computation, shown }: DebugStep): string => `${computation}/${shown}`;

interface ReadyProps {
  app: App;
  state: DebugState;
}

/** Where the run stands, and the step that was taken last. */
function LastStep({ app, state }: ReadyProps): JSX.Element {
  const { last } = state;
  return (
    <p class="debug-last" aria-live="polite">
      <strong>{debugWords.position(integer(state.position), integer(state.length))}</strong>{" "}
      <span class="mono">{last?.line ?? debugWords.before}</span>{" "}
      {last?.hasValue && (
        <button
          type="button"
          class="quiet"
          aria-label={debugWords.showOf(placeOf(last))}
          title={debugWords.showOf(placeOf(last))}
          onClick={() => {
            debugSession(app).shown.value = placeOf(last);
          }}
        >
          <Icon name="values" />
        </button>
      )}
    </p>
  );
}

/** What is to be known of the record: it ends early, the run has a fault, the program has changed since. */
function Reservations({ app, state }: ReadyProps): JSX.Element {
  const run = debugRun(app);
  const session = debugSession(app);
  const isStale = run.key() !== session.recorded.value;
  return (
    <>
      {!state.ended && (
        <p class="muted">
          {debugWords.stopped}{" "}
          <button type="button" onClick={() => void run.recordOn()}>
            {debugWords.recordOn}
          </button>
        </p>
      )}
      {session.faults.value.slice(0, 1).map((fault) => (
        <p key={fault.message} class="debug-fault">
          {fault.message}
        </p>
      ))}
      {isStale && (
        <p class="muted">
          {debugWords.stale}{" "}
          <button type="button" onClick={() => void run.start()}>
            {debugWords.again}
          </button>
        </p>
      )}
    </>
  );
}

function Ready({ app, state }: ReadyProps): JSX.Element {
  const run = debugRun(app);
  const session = debugSession(app);
  const followed = state.devices.find(({ device }) => device === state.device);
  return (
    <>
      <Moves app={app} state={state} />
      <Bands
        spans={session.spans.value}
        device={state.device}
        count={state.deviceCount}
        length={state.length}
        position={state.position}
        onMove={(to) => void run.goTo(to)}
        onFollow={(device) => {
          session.device.value = device;
          void run.goTo(state.position);
        }}
      />
      <LastStep app={app} state={state} />
      <Reservations app={app} state={state} />
      <Until app={app} />
      <div class="debug-parts">
        <section class="debug-part" aria-label={debugWords.stack}>
          <h2>{debugWords.stack}</h2>
          {followed && <Stack app={app} device={followed} />}
        </section>
        {state.deviceCount > 1 && <Devices app={app} state={state} />}
        <Watches app={app} />
        <Breakpoints app={app} />
        <OtherRun app={app} />
        <ShownValue app={app} />
        <Steps app={app} state={state} />
      </div>
    </>
  );
}

/** What the parser says of an empty text helps nobody. */
function isWithoutProgram(app: App): boolean {
  const { check, checkedText, text } = app.state;
  const isRead = checkedText.value === text.value;
  return text.value.trim() === "" || (isRead && check.value?.kind === "empty");
}

export function DebugView({ app }: { app: App }): JSX.Element {
  const run = debugRun(app);
  const { phase, state, position, faults } = debugSession(app);
  useEffect(() => {
    // A link names a step: it opens there, unless its run asks for more than the usual limits.
    const isNamed = phase.peek() === "none" && position.peek() > 0;
    if (isNamed && isModest(app.state.settings.peek())) void run.start();
    else void run.showLines();
    return () => void run.hideLines();
  }, []);
  const w = debugWords;
  const shown = state.value;
  if (phase.value === "ready" && shown) {
    return (
      <div class="column-view debug-view">
        <Ready app={app} state={shown} />
      </div>
    );
  }
  if (phase.value === "recording") {
    return (
      <div class="column-view debug-view">
        <p role="status">{w.recording(integer(shown?.length ?? 0))}</p>
        <button type="button" onClick={() => run.stop()}>
          {w.stop}
        </button>
      </div>
    );
  }
  const fault = faults.value[0];
  if (isWithoutProgram(app)) {
    return <NoAnswerYet app={app} sentence={`${words.debug.empty} ${w.noProgram}`} isRefused />;
  }
  return (
    <BeforeRun
      app={app}
      sentence={fault ? fault.message : words.debug.empty}
      action={w.start}
      onAction={() => void run.start()}
    />
  );
}
