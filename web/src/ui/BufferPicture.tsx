/**
 * The buffers of a memory over time: positions of the program from left to right, bytes from the
 * bottom up. What a rectangle is, its tooltip and the lists beside the picture say: colour is not alone.
 */
import type { JSX } from "preact";
import type { MemoryPicture, PlacedBuffer } from "../../../wasm/engine_api";
import { bytes } from "./format";
import "./buffer_picture.css";

const WIDTH = 1000;
const HEIGHT = 320;
/** A side of a rectangle that is shorter than this has no room for edges. */
const THIN = 4;

interface BufferPictureProps {
  label: string;
  picture: MemoryPicture;
  /** Bytes of the whole height: of two pictures beside each other, those of the larger. */
  height: number;
  /** A position that is marked. */
  at?: number | undefined;
  /** What a tooltip says. */
  describe(buffer: PlacedBuffer): string;
  selected?: PlacedBuffer | null;
  onSelect?(buffer: PlacedBuffer): void;
}

/** Up to where the buffers that have a place reach, for each column of those that are added up. */
function topsOf({ rest, buffers, positions }: MemoryPicture): number[] {
  const tops = new Array<number>(rest.length).fill(0);
  // A buffer is in the columns whose middle it lives at.
  const columnAt = (at: number): number =>
    Math.max(0, Math.ceil((at * rest.length) / Math.max(1, positions) - 0.5));
  for (const { begin, end, offset, bytes } of buffers) {
    const behind = Math.min(rest.length, columnAt(end + 1));
    for (let i = columnAt(begin); i < behind; i++) tops[i] = Math.max(tops[i] ?? 0, offset + bytes);
  }
  return tops;
}

/** The outline of the buffers that are only added up, above those that have a place. */
export function restPath(picture: MemoryPicture, height: number): string {
  const { rest } = picture;
  if (rest.length === 0) return "";
  const y = (value: number): string => (HEIGHT - (value / height) * HEIGHT).toFixed(1);
  const x = (column: number): string => ((column / rest.length) * WIDTH).toFixed(1);
  const tops = topsOf(picture);
  const above = rest.map((value, i) => `V${y((tops[i] ?? 0) + value)}H${x(i + 1)}`);
  const below = tops.map((top, i) => `V${y(top)}H${x(i)}`).reverse();
  return `M0 ${y(tops[0] ?? 0)}${above.join("")}${below.join("")}Z`;
}

/** What a picture needs at least: its buffers, and what lies above them. */
export function heightOf(picture: MemoryPicture): number {
  const tops = topsOf(picture);
  const highest = picture.rest.reduce(
    (most, value, i) => Math.max(most, value + (tops[i] ?? 0)),
    0,
  );
  return Math.max(1, picture.bytes, highest, picture.peakBytes);
}

export function BufferPicture(props: BufferPictureProps): JSX.Element {
  const { picture, height } = props;
  const positions = Math.max(1, picture.positions);
  const x = (at: number): number => (at / positions) * WIDTH;
  const y = (value: number): number => HEIGHT - (value / height) * HEIGHT;
  const peak = y(picture.peakBytes);
  return (
    <div class="buffer-picture">
      <span class="buffer-height" aria-hidden="true">
        {bytes(height)}
      </span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={props.label}
      >
        {picture.buffers.map((buffer, i) => {
          const tall = Math.max(0.5, (buffer.bytes / height) * HEIGHT);
          const padded = (buffer.paddingBytes / height) * HEIGHT;
          const box = {
            x: x(buffer.begin),
            width: Math.max(1, x(buffer.end + 1) - x(buffer.begin)),
          };
          const isThin = Math.min(tall, box.width) < THIN;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list of buffers has the keys
            <g
              key={i}
              class={`buffer buffer-${buffer.type}${isThin ? " thin" : ""}${buffer === props.selected ? " chosen" : ""}`}
              onClick={() => props.onSelect?.(buffer)}
            >
              <title>{props.describe(buffer)}</title>
              <rect {...box} y={y(buffer.offset) - tall} height={tall} />
              {padded > 0.5 && (
                <rect {...box} class="padding" y={y(buffer.offset) - tall} height={padded} />
              )}
            </g>
          );
        })}
        <path class="rest" d={restPath(picture, height)} />
        <line class="peak" x1="0" x2={WIDTH} y1={peak} y2={peak} />
        {props.at !== undefined && (
          <line class="at" x1={x(props.at + 0.5)} x2={x(props.at + 0.5)} y1="0" y2={HEIGHT} />
        )}
      </svg>
    </div>
  );
}
