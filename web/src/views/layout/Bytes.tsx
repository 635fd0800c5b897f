/** The bytes of a value in the layout on the screen: sixteen to a line, padding hatched. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { LayoutInfo, MemoryWindow, ValueRef } from "../../../../wasm/engine_api";
import { run } from "../../app/actions";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { hex } from "../../ui/format";
import { paddingValue } from "./model";
import type { LayoutSession, Spot } from "./session";
import { byteAt, valueFor } from "./windows";
import { layoutWords } from "./words";

const PER_LINE = 16;
const LINES = 8;

/** The first byte to show, so that a byte is in the middle. */
export function firstByte(at: number, total: number): number {
  const lines = Math.ceil(total / PER_LINE);
  const line = Math.floor(at / PER_LINE) - LINES / 2;
  return Math.max(0, Math.min(line, lines - LINES)) * PER_LINE;
}

interface BytesProps {
  app: App;
  session: LayoutSession;
}

/** The bytes of an element, from the beginning of memory; -1: none is pointed at or selected. */
interface ElementBytes {
  from: number;
  /** One past the last. */
  to: number;
}

function elementBytes(session: LayoutSession): ElementBytes {
  const spot: Spot | null = session.hover.value ?? session.picked.value;
  if (!spot || spot.offset < 0) return { from: -1, to: -1 };
  const bits = session.info.value?.elementBits ?? 8;
  const to = byteAt(session, 0) + Math.ceil(((spot.offset + 1) * bits) / 8);
  return { from: byteAt(session, spot.offset), to };
}

/** Some bytes with the element among them; those on the screen stay while they hold the next one too. */
function useMemory(
  { app, session }: BytesProps,
  ref: ValueRef | null,
  { from, to }: ElementBytes,
): MemoryWindow | null {
  const info = session.info.value;
  const window = useSignal<MemoryWindow | null>(null);
  const total = (info?.physicalBytes ?? 0) + byteAt(session, 0);
  const shown = window.value;
  const inside = shown && from >= shown.begin && to <= shown.begin + shown.bytes.length;
  const begin = inside ? shown.begin : firstByte(Math.max(0, from), total);
  const count = Math.min(PER_LINE * LINES, Math.max(0, total - begin));
  const key = ref && info ? JSON.stringify([ref, info.subject, begin, count]) : "";
  useEffect(() => {
    if (!ref || !info) {
      window.value = null;
      return;
    }
    let current = true;
    app.engines.results.call("memory", [ref, info.subject, begin, count]).then(
      (answer) => {
        if (current) window.value = answer;
      },
      () => {
        if (current) window.value = null;
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  return shown;
}

/** Why there are no bytes: nothing has run, or no value has this layout. */
function NoBytes({ app, info }: { app: App; info: LayoutInfo | null }): JSX.Element {
  const ran = app.state.results.value !== null;
  return (
    <section class="card bytes" aria-label={layoutWords.bytes}>
      <h2>{layoutWords.bytes}</h2>
      <p class="muted">
        {ran
          ? layoutWords.bytesOther(info ? `${info.elementType}[${info.dims.join()}]` : "")
          : layoutWords.bytesEmpty}
      </p>
      {!ran && (
        <button type="button" onClick={() => void run(app)}>
          {layoutWords.bytesRun}
        </button>
      )}
    </section>
  );
}

export function Bytes({ app, session }: BytesProps): JSX.Element {
  const info = session.info.value;
  const ref = info ? valueFor(app, info) : null;
  const element = elementBytes(session);
  const { from, to } = element;
  const shown = useMemory({ app, session }, ref, element);
  // What the first byte of the element holds: of packed elements, which nibble is whose.
  const byte = useAnswer(
    ref && info && from >= 0 ? JSON.stringify([ref, info.subject, from]) : "",
    () =>
      ref && info && from >= 0
        ? app.engines.results.call("memoryByte", [ref, info.subject, from])
        : null,
  ).value;
  if (!info || !ref || !shown) return <NoBytes app={app} info={info} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="card bytes" tabIndex={0} aria-label={layoutWords.bytes}>
      <h2>
        {layoutWords.bytes}
        {from >= 0 && <span class="muted"> {layoutWords.atByte(String(from))}</span>}
      </h2>
      <pre class="hexdump">{hexLines(shown, from, to, info)}</pre>
      {byte && byte.value >= 0 && (
        <ul class="byte-parts">
          {byte.parts.map((part) => (
            <li key={part.firstBit}>{part.text}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Padding is shown where the layout says what it holds. */
function hexLines(window: MemoryWindow, from: number, to: number, info: LayoutInfo): JSX.Element[] {
  const digits = Math.max(4, Math.ceil(Math.log2(Math.max(2, info.physicalBytes)) / 4));
  const isKnown = paddingValue(info) !== null;
  const lines: JSX.Element[] = [];
  for (let line = 0; line < window.bytes.length; line += PER_LINE) {
    const cells: JSX.Element[] = [];
    for (let i = line; i < Math.min(line + PER_LINE, window.bytes.length); i++) {
      const at = window.begin + i;
      const classes = [
        window.padding[i] ? "pad" : "",
        at >= from && at < to ? "on" : "",
        i % 8 === 0 && i > line ? "gap" : "",
      ];
      cells.push(
        <span key={at} class={classes.filter(Boolean).join(" ") || undefined}>
          {window.padding[i] && !isKnown ? "··" : hex(window.bytes[i] ?? 0, 2)}
        </span>,
      );
    }
    lines.push(
      <div key={line}>
        <b>{hex(window.begin + line, digits)}</b>
        {cells}
      </div>,
    );
  }
  return lines;
}
