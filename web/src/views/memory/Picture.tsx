/** The buffers of one memory over time, and what would make them need less. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type {
  MemoryPicture,
  MemorySaving,
  PlacedBuffer,
  ProgramSpace,
} from "../../../../wasm/engine_api";
import { goTo } from "../../app/actions";
import type { App } from "../../app/app";
import { textsKey, useAnswer } from "../../ui/answer";
import { BufferPicture, heightOf } from "../../ui/BufferPicture";
import { bytes, integer, percent } from "../../ui/format";
import { mostLetters, Name } from "../../ui/Name";
import { memorySession } from "./session";
import { memoryWords } from "./words";

/** Buffers that are named where the peak is explained: so many, or what is so much of it. */
const NAMED = 4;
const MOST = 0.9;

/** What the colours of a picture mean, of those that are in it. */
function Legend({ picture }: { picture: MemoryPicture }): JSX.Element {
  const w = memoryWords.legend;
  const types = new Set(picture.buffers.map(({ type }) => type));
  const kinds = [
    ...(["parameter", "constant", "output", "temporary"] as const).filter((type) =>
      types.has(type),
    ),
    ...(picture.buffers.some(({ paddingBytes }) => paddingBytes > 0) ? (["padding"] as const) : []),
    ...(picture.rest.length > 0 ? (["rest"] as const) : []),
  ];
  return (
    <ul class="buffer-legend">
      {kinds.map((kind) => (
        <li key={kind}>
          <span class={`swatch swatch-${kind}`} aria-hidden="true" />
          {w[kind]}
        </li>
      ))}
      <li>{w.peak(bytes(picture.peakBytes))}</li>
    </ul>
  );
}

/** The buffer that was tapped, where going to its line would leave the view. */
function Chosen({ app, buffer }: { app: App; buffer: PlacedBuffer }): JSX.Element {
  const w = memoryWords;
  return (
    <p class="memory-explained">
      <span role="status">
        {w.buffer(buffer.name, buffer.shape, bytes(buffer.bytes), buffer.begin, buffer.end)}
      </span>{" "}
      <button type="button" onClick={() => goTo(app, buffer.range)}>
        {w.toLine}
      </button>
    </p>
  );
}

/** The few buffers that make up most of the peak. */
function Explained(props: { app: App; picture: MemoryPicture; at: number }): JSX.Element | null {
  const { app, picture, at } = props;
  const live = picture.buffers
    .filter(({ begin, end }) => begin <= at && at <= end)
    .sort((a, b) => b.bytes - a.bytes);
  const most: PlacedBuffer[] = [];
  let sum = 0;
  for (const buffer of live) {
    if (most.length === NAMED || sum >= MOST * picture.peakBytes) break;
    most.push(buffer);
    sum += buffer.bytes;
  }
  if (most.length === 0) return null;
  const w = memoryWords;
  return (
    <p class="memory-explained">
      {w.explained(most.length, percent(Math.min(1, sum / Math.max(1, picture.peakBytes))))}{" "}
      {most.map((buffer) => (
        <button
          key={`${buffer.name} ${buffer.offset}`}
          type="button"
          class="quiet mono"
          title={w.buffer(buffer.name, buffer.shape, bytes(buffer.bytes), buffer.begin, buffer.end)}
          onClick={() => goTo(app, buffer.range)}
        >
          <Name name={buffer.name} most={mostLetters(false)} /> {bytes(buffer.bytes)}
        </button>
      ))}
    </p>
  );
}

export function Picture(props: {
  app: App;
  text: string;
  space: ProgramSpace;
}): JSX.Element | null {
  const { app, text, space } = props;
  const w = memoryWords;
  const picture = useAnswer(`${space.space} ${textsKey(app, text)}`, () =>
    app.engines.typing.call("memoryPicture", [text, { space: space.space }]),
  ).value;
  const { scope } = memorySession(app);
  const tapped = useSignal<PlacedBuffer | null>(null);
  // Of another picture it is none.
  const chosen = picture?.buffers.find((buffer) => buffer === tapped.value) ?? null;
  if (!picture?.ok || picture.buffers.length === 0) return null;
  return (
    <>
      <BufferPicture
        label={w.picture(integer(picture.buffers.length), bytes(picture.peakBytes))}
        picture={picture}
        height={heightOf(picture)}
        at={typeof scope.value === "number" ? scope.value : undefined}
        describe={(buffer) =>
          w.buffer(buffer.name, buffer.shape, bytes(buffer.bytes), buffer.begin, buffer.end)
        }
        selected={chosen}
        onSelect={(buffer) => {
          scope.value = buffer.begin;
          if (app.state.narrow.value) tapped.value = buffer;
          else goTo(app, buffer.range);
        }}
      />
      {chosen && <Chosen app={app} buffer={chosen} />}
      <Legend picture={picture} />
      <Explained app={app} picture={picture} at={space.peakAt} />
    </>
  );
}

function Saving({ saving, peak }: { saving: MemorySaving; peak: number }): JSX.Element {
  const w = memoryWords;
  const { count, shown } = saving.instructions;
  return (
    <li>
      <strong>
        {w.saves(bytes(saving.savedBytes), percent(saving.savedBytes / Math.max(1, peak)))}
      </strong>{" "}
      <span class="badge">{w.savings[saving.kind]}</span> {saving.what}
      {count > 0 && (
        <span class="muted mono">
          {" "}
          {shown.slice(0, 4).join(", ")}
          {count > 4 && ` +${integer(count - 4)}`}
        </span>
      )}
    </li>
  );
}

export function Savings(props: { app: App; text: string; peak: number }): JSX.Element | null {
  const { app, text, peak } = props;
  const savings = useAnswer(textsKey(app, text), () =>
    app.engines.typing.call("memorySavings", [text]),
  ).value;
  if (!savings || savings.length === 0) return null;
  return (
    <section class="memory-savings" aria-label={memoryWords.savingsTitle}>
      <h2>{memoryWords.savingsTitle}</h2>
      <ul>
        {savings.map((saving) => (
          <Saving key={saving.kind} saving={saving} peak={peak} />
        ))}
      </ul>
    </section>
  );
}
