/**
 * What memory a program takes in the order of its text; or what XLA reported of one.
 * Both are lists of buffers, each with its bytes, its padding, and why.
 */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import type {
  BufferWindow,
  MemoryBuffer,
  MemoryReport,
  ProgramMemory,
  ProgramSpace,
} from "../../../../wasm/engine_api";
import { goTo, showShape } from "../../app/actions";
import type { App } from "../../app/app";
import { isProgramKind } from "../../app/state";
import { NoAnswerYet } from "../../page/NoAnswerYet";
import { words } from "../../strings";
import { programKey, textsKey, useAnswer } from "../../ui/answer";
import { Facts } from "../../ui/Facts";
import { type ByteUnit, bytes, integer, inUnit, percent, unitFor } from "../../ui/format";
import { mostLetters, Name } from "../../ui/Name";
import { ScrollTable } from "../../ui/ScrollTable";
import { useWindows } from "../../ui/windows";
import { Picture, Savings } from "./Picture";
import { reportKind } from "./report_kind";
import { memorySession, type Scope } from "./session";
import { Timeline } from "./Timeline";
import { memoryWords } from "./words";
import "./memory.css";

function Row(props: {
  app: App;
  buffer: MemoryBuffer;
  named: boolean;
  unit: ByteUnit;
}): JSX.Element {
  const { app, buffer, named, unit } = props;
  const w = memoryWords;
  const known = (n: number): JSX.Element | string =>
    n < 0 ? "?" : <span title={w.exactly(n)}>{inUnit(n, unit)}</span>;
  const lives = buffer.begin >= 0 ? w.lives(buffer.begin, buffer.end) : "";
  return (
    <tr>
      <td class="number">{known(buffer.bytes)}</td>
      <td class="number">{known(buffer.unpaddedBytes)}</td>
      <td class="number">
        {buffer.paddingBytes > 0 ? (
          <span title={buffer.cause}>
            {inUnit(buffer.paddingBytes, unit)}
            {buffer.bytes > 0 && ` (${percent(buffer.paddingBytes / buffer.bytes)})`}
          </span>
        ) : (
          w.noPadding(buffer.paddingBytes)
        )}
      </td>
      <th scope="row">
        <button
          type="button"
          class="quiet mono flush"
          title={w.goToLine(buffer.name)}
          onClick={() => goTo(app, buffer.range)}
        >
          {buffer.name || w.unnamed}
        </button>
      </th>
      <td>
        {buffer.shape && (
          <button
            type="button"
            class="quiet mono flush"
            title={w.showLayout(buffer.shape)}
            onClick={() => showShape(app, buffer.shape)}
          >
            {buffer.shape}
          </button>
        )}
      </td>
      <td class="muted">
        {[named ? buffer.space : "", buffer.cause, buffer.type, lives, buffer.opName, buffer.source]
          .filter(Boolean)
          .join("; ")}
        {buffer.advice && <b class="memory-advice">{buffer.advice}</b>}
      </td>
    </tr>
  );
}

/** What there is a list of buffers of: a program, or a report. */
type WithBuffers = Pick<ProgramMemory, "bufferCount" | "buffers"> &
  Partial<Pick<ProgramMemory, "position">>;

interface ListProps {
  app: App;
  /** What the buffers are of: with another text another list begins. */
  text: string;
  ask(window: BufferWindow): Promise<WithBuffers>;
}

interface BuffersProps extends ListProps {
  count: number;
  /** They are in several memories. */
  named: boolean;
  /** Where they live at different times: which of them are wanted. */
  scope?: Scope;
}

/** Of the first question, which is about all but the list. */
const NO_BUFFERS: BufferWindow = { begin: 0, count: 0 };

/** How close to its end the list is scrolled when more of it is asked for, in pixels. */
const NEAR_END = 400;

/** Which buffers are listed. */
function Scopes(props: {
  app: App;
  scope: Scope;
  position: ProgramMemory["position"];
}): JSX.Element {
  const { app, scope, position } = props;
  const w = memoryWords;
  const choices: [Scope, string][] = [
    ["peak", w.scopes.peak],
    ...(typeof scope === "number" ? [[scope, w.scopes.at] as [Scope, string]] : []),
    ["all", w.scopes.all],
  ];
  return (
    <>
      <fieldset class="segments" aria-label={w.scope}>
        {choices.map(([id, title]) => (
          <button
            key={title}
            type="button"
            aria-pressed={scope === id}
            onClick={() => {
              memorySession(app).scope.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {position && typeof scope === "number" && (
        <span>
          {w.at(integer(scope))}{" "}
          <button type="button" class="quiet mono" onClick={() => goTo(app, position.range)}>
            <Name name={position.name} most={mostLetters(false)} />
          </button>
        </span>
      )}
    </>
  );
}

function Buffers(props: BuffersProps): JSX.Element {
  const { app, text, ask, named, scope } = props;
  const w = memoryWords;
  const { order } = memorySession(app);
  const by = order.value;
  const which = scope !== undefined && scope !== "all" ? { at: scope } : {};
  const key = `${by} ${scope ?? ""} ${textsKey(app, text)}`;
  const list = useWindows(key, async (begin, size) => {
    return (await ask({ begin, count: size, by, ...which })).buffers;
  });
  const isScoped = scope !== undefined;
  const scoped = useAnswer(key, () => (isScoped ? ask({ ...NO_BUFFERS, ...which }) : null));
  const count = isScoped ? (scoped.value?.bufferCount ?? props.count) : props.count;
  const unit = unitFor(Math.max(0, ...list.items.map((buffer) => buffer.bytes)));
  return (
    <>
      <div class="detail-tools">
        <h2>{w.buffers(count)}</h2>
        {isScoped && <Scopes app={app} scope={scope} position={scoped.value?.position ?? null} />}
        <fieldset class="segments" aria-label={w.order}>
          {(["size", "padding"] as const).map((key) => (
            <button
              key={key}
              type="button"
              aria-pressed={by === key}
              onClick={() => {
                order.value = key;
              }}
            >
              {w.by[key]}
            </button>
          ))}
        </fieldset>
      </div>
      <ScrollTable
        class="advice advice-scroll memory-buffers"
        label={w.buffers(count)}
        columns={w.columns(unit)}
        count={count}
        onScroll={({ scrollTop, scrollHeight, clientHeight }) => {
          if (scrollHeight - scrollTop - clientHeight < NEAR_END) list.more(count);
        }}
      >
        {list.items.map((buffer, i) => (
          <Row key={i} app={app} buffer={buffer} named={named} unit={unit} />
        ))}
      </ScrollTable>
    </>
  );
}

function Report(props: ListProps & { report: MemoryReport }): JSX.Element {
  const { report, ...list } = props;
  const w = memoryWords;
  const facts: [string, string][] = [
    ...(report.used >= 0 ? [[w.used, bytes(report.used)] as [string, string]] : []),
    ...(report.capacity >= 0 ? [[w.capacity, bytes(report.capacity)] as [string, string]] : []),
    ...report.totals.map(({ name, text }): [string, string] => [name, text]),
  ];
  const padding = report.paddingBytes;
  return (
    <>
      <p class="memory-head">
        <strong>{w.reportTitle(reportKind(props.text, report.exceeded), report.space)}</strong>
        {report.exceeded > 0 && <span class="bad">{w.exceeded(bytes(report.exceeded))}</span>}
        {padding > 0 && <span>{w.ofPadding(bytes(padding))}</span>}
      </p>
      <Facts class="facts" facts={facts} />
      <Buffers {...list} count={report.bufferCount} named={false} />
    </>
  );
}

/** One memory: its peak, what lives there by kind, and over time. `named`: there are others. */
function Space(props: {
  app: App;
  text: string;
  memory: ProgramMemory;
  space: ProgramSpace;
  scope: Scope;
  named: boolean;
}): JSX.Element {
  const { memory, space, scope, named } = props;
  const w = memoryWords;
  const facts: [string, string][] = [
    [w.parameters, bytes(space.parameterBytes)],
    [w.constants, bytes(space.constantBytes)],
    [w.outputs, bytes(space.outputBytes)],
    [w.temporaries, bytes(space.temporaryBytes)],
  ];
  return (
    <section class="memory-space" aria-label={named ? space.name : words.memory.title}>
      <p class="memory-head">
        {named && <strong title={space.doc}>{space.name}</strong>}
        <strong>{w.peak(bytes(space.peakBytes))}</strong>
        <span>{w.peakAt(space.peakName, integer(space.peakAt))}</span>
        {space.peakPadding > 0 && <span>{w.ofPadding(bytes(space.peakPadding))}</span>}
        {named && <span class="muted">{space.doc}</span>}
      </p>
      <Facts class="facts" facts={facts} />
      <Timeline
        space={space}
        positions={memory.positions}
        scope={scope}
        onMove={(at) => {
          memorySession(props.app).scope.value = at;
        }}
      />
      <Picture app={props.app} text={props.text} space={space} />
    </section>
  );
}

function Program(props: ListProps & { memory: ProgramMemory }): JSX.Element {
  const { memory, ...list } = props;
  const w = memoryWords;
  const named = memory.spaces.length > 1;
  const chosen = memorySession(props.app).scope.value;
  // An edit may have made the program shorter.
  const scope = typeof chosen === "number" ? Math.min(chosen, memory.positions - 1) : chosen;
  return (
    <>
      {!memory.complete && <p class="bad">{w.incomplete}</p>}
      {memory.spaces.map((space) => (
        <Space
          key={space.space}
          app={props.app}
          text={props.text}
          memory={memory}
          space={space}
          scope={scope}
          named={named}
        />
      ))}
      <Savings app={props.app} text={props.text} peak={memory.spaces[0]?.peakBytes ?? 0} />
      <p class="muted assumption">{named ? `${w.assumes} ${w.apart}` : w.assumes}</p>
      <Buffers {...list} count={memory.bufferCount} named={named} scope={scope} />
    </>
  );
}

/** An answer that is good, with the text that it is about. */
async function about<T extends { ok: boolean }>(text: string, asked: Promise<T>) {
  const answer = await asked;
  return answer.ok ? { text, answer } : null;
}

export function MemoryView({ app }: { app: App }): JSX.Element {
  const kind = useComputed(() => app.state.check.value?.kind ?? "").value;
  const text = app.state.text.value;
  const { typing } = app.engines;
  const isReport = kind === "memory-report";
  const report = useAnswer(isReport ? text : "", () =>
    isReport ? about(text, typing.call("memoryReport", [text, NO_BUFFERS])) : null,
  ).value;
  const isProgram = isProgramKind(kind);
  const memory = useAnswer(isProgram ? programKey(app) : "", () =>
    isProgram ? about(text, typing.call("programMemory", [text, NO_BUFFERS])) : null,
  ).value;
  return (
    <div class="column-view memory-view">
      {isReport && report && (
        <Report
          app={app}
          text={report.text}
          report={report.answer}
          ask={(window) => typing.call("memoryReport", [report.text, window])}
        />
      )}
      {isProgram && memory && (
        <Program
          app={app}
          text={memory.text}
          memory={memory.answer}
          ask={(window) => typing.call("programMemory", [memory.text, window])}
        />
      )}
      {!(isReport && report) && !(isProgram && memory) && (
        <NoAnswerYet app={app} sentence={words.memory.empty} isRefused={false} />
      )}
    </div>
  );
}
