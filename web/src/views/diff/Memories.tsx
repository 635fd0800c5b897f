/** The memory of both programs over time, at one scale. */
import type { JSX } from "preact";
import type { MemoryPicture } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { textsKey, useAnswer } from "../../ui/answer";
import { BufferPicture, heightOf } from "../../ui/BufferPicture";
import { bytes } from "../../ui/format";
import type { ComparedPair } from "./session";
import { compareWords } from "./words";

export function Memories({ app, pair }: { app: App; pair: ComparedPair }): JSX.Element | null {
  const { before, after } = pair;
  const { typing } = app.engines;
  const pictures = useAnswer(textsKey(app, before.text, after.text), async () => {
    const was = await typing.call("memoryPicture", [before.text, {}]);
    return [was, await typing.call("memoryPicture", [after.text, {}])] as const;
  }).value;
  if (!pictures) return null;
  const w = compareWords;
  const height = Math.max(...pictures.map(heightOf));
  const side = (name: string, picture: MemoryPicture): JSX.Element => (
    <section aria-label={name}>
      <h2>{w.memoryOf(name, bytes(picture.peakBytes))}</h2>
      <BufferPicture
        label={w.picture(name, bytes(picture.peakBytes))}
        picture={picture}
        height={height}
        describe={(buffer) => `${buffer.name}  ${buffer.shape}  ${bytes(buffer.bytes)}`}
      />
    </section>
  );
  return (
    <div class="compare-memories">
      {side(w.before, pictures[0])}
      {side(w.after, pictures[1])}
    </div>
  );
}
