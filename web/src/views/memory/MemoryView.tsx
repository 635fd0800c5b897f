/**
 * What memory a program takes in the order of its text; or what XLA reported when one did not fit.
 * Both are lists of buffers, each with its bytes, its padding, and why.
 */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import type {
  MemoryBuffer,
  MemoryReport,
  ProgramMemory,
  ProgramSpace,
} from "../../../../wasm/engine_api";
import { bareName, goTo, openOverlay, showShape } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { useAnswer } from "../../ui/answer";
import { Empty } from "../../ui/Empty";
import { Facts } from "../../ui/Facts";
import { bytes, integer, percent } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { memorySession, type Order } from "./session";
import { Timeline } from "./Timeline";
import { memoryWords } from "./words";

const MOST_SHOWN = 300;

export function inOrder(buffers: readonly MemoryBuffer[], by: Order): MemoryBuffer[] {
  const key = by === "size" ? "bytes" : "paddingBytes";
  return [...buffers].sort((a, b) => b[key] - a[key]);
}

const known = (n: number): string => (n < 0 ? "?" : bytes(n));

function Row(props: { app: App; buffer: MemoryBuffer; named: boolean }): JSX.Element {
  const { app, buffer, named } = props;
  const w = memoryWords;
  const lives = buffer.begin >= 0 ? w.lives(buffer.begin, buffer.end) : "";
  return (
    <tr>
      <td class="number">{known(buffer.bytes)}</td>
      <td class="number">{known(buffer.unpaddedBytes)}</td>
      <td class="number">
        {buffer.paddingBytes > 0 ? (
          <span title={buffer.cause}>
            {bytes(buffer.paddingBytes)}
            {buffer.bytes > 0 && ` (${percent(buffer.paddingBytes / buffer.bytes)})`}
          </span>
        ) : (
          w.noPadding(buffer.paddingBytes)
        )}
      </td>
      <th scope="row">
        <button type="button" class="quiet mono" onClick={() => goTo(app, buffer.range)}>
          {buffer.name ? bareName(buffer.name) : w.unnamed}
        </button>
      </th>
      <td>
        {buffer.shape && (
          <button
            type="button"
            class="quiet mono"
            title={w.showLayout}
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
      </td>
    </tr>
  );
}

function Buffers(props: {
  app: App;
  buffers: readonly MemoryBuffer[];
  /** They are in several memories. */
  named: boolean;
}): JSX.Element {
  const { app, buffers, named } = props;
  const w = memoryWords;
  const { order } = memorySession(app);
  const shown = inOrder(buffers, order.value).slice(0, MOST_SHOWN);
  return (
    <>
      <div class="detail-tools">
        <h2>{w.buffers(buffers.length)}</h2>
        <fieldset class="segments" aria-label={w.order}>
          {(["size", "padding"] as const).map((by) => (
            <button
              key={by}
              type="button"
              aria-pressed={order.value === by}
              onClick={() => {
                order.value = by;
              }}
            >
              {w.by[by]}
            </button>
          ))}
        </fieldset>
      </div>
      <ScrollTable
        class="advice advice-scroll memory-buffers"
        label={w.buffers(buffers.length)}
        columns={w.columns}
      >
        {shown.map((buffer, i) => (
          <Row key={`${i} ${buffer.name}`} app={app} buffer={buffer} named={named} />
        ))}
      </ScrollTable>
    </>
  );
}

function Report({ app, report }: { app: App; report: MemoryReport }): JSX.Element {
  const w = memoryWords;
  const facts: [string, string][] = [
    ...(report.used >= 0 ? [[w.used, bytes(report.used)] as [string, string]] : []),
    ...(report.capacity >= 0 ? [[w.capacity, bytes(report.capacity)] as [string, string]] : []),
    ...report.totals.map(({ name, text }): [string, string] => [name, text]),
  ];
  const padding = report.buffers.reduce((sum, b) => sum + Math.max(0, b.paddingBytes), 0);
  return (
    <>
      <p class="memory-head">
        <strong>{w.reportTitle(report.space)}</strong>
        {report.exceeded > 0 && <span class="bad">{w.exceeded(bytes(report.exceeded))}</span>}
        {padding > 0 && <span>{w.ofPadding(bytes(padding))}</span>}
      </p>
      <Facts class="facts" facts={facts} />
      <Buffers app={app} buffers={report.buffers} named={false} />
    </>
  );
}

/** One memory: its peak, what lives there by kind, and over time. `named`: there are others. */
function Space(props: { memory: ProgramMemory; space: ProgramSpace; named: boolean }): JSX.Element {
  const { memory, space, named } = props;
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
        <span>{w.peakAt(bareName(space.peakName), integer(space.peakAt))}</span>
        {space.peakPadding > 0 && <span>{w.ofPadding(bytes(space.peakPadding))}</span>}
        {named && <span class="muted">{space.doc}</span>}
      </p>
      <Facts class="facts" facts={facts} />
      <Timeline space={space} positions={memory.positions} />
    </section>
  );
}

function Program({ app, memory }: { app: App; memory: ProgramMemory }): JSX.Element {
  const w = memoryWords;
  const named = memory.spaces.length > 1;
  return (
    <>
      {!memory.complete && <p class="bad">{w.incomplete}</p>}
      {memory.spaces.map((space) => (
        <Space key={space.space} memory={memory} space={space} named={named} />
      ))}
      <p class="muted assumption">{named ? `${w.assumes} ${w.apart}` : w.assumes}</p>
      <Buffers app={app} buffers={memory.buffers} named={named} />
    </>
  );
}

export function MemoryView({ app }: { app: App }): JSX.Element {
  const kind = useComputed(() => app.state.check.value?.kind ?? "").value;
  const text = app.state.text.value;
  const { typing } = app.engines;
  const isReport = kind === "memory-report";
  const report = useAnswer(isReport ? text : "", () =>
    isReport ? typing.call("memoryReport", [text]) : null,
  ).value;
  const isProgram = kind === "hlo" || kind === "mlir";
  const memory = useAnswer(isProgram ? text : "", () =>
    isProgram ? typing.call("programMemory", [text]) : null,
  ).value;
  return (
    <div class="column-view memory-view">
      {isReport && report?.ok && <Report app={app} report={report} />}
      {isProgram && memory?.ok && <Program app={app} memory={memory} />}
      {!(isReport && report?.ok) && !(isProgram && memory?.ok) && (
        <Empty
          sentence={words.memory.empty}
          action={words.memory.emptyAction}
          onAction={() => openOverlay(app, "examples")}
        />
      )}
    </div>
  );
}
