/** What the numbers, the colours and the lines of the pictures are. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { colourings } from "./colours";
import { isFew } from "./model";
import type { ComparedProps } from "./picture_parts";
import { layoutWords } from "./words";

const hasPadding = (info: LayoutInfo): boolean => info.physicalElements > info.logicalElements;

function Swatches({ of }: { of: "tint" | "heat" | "moved" | "padding" }): JSX.Element {
  const colours = { tint: [0, 1, 2, 3], moved: [1], heat: [], padding: [] }[of];
  return (
    <span class={`swatch ${of}`} aria-hidden="true">
      {colours.map((n) => (
        <i key={n} class={`tile-${n}`} />
      ))}
    </span>
  );
}

export function Legend({ session, info, compared }: ComparedProps): JSX.Element {
  const w = layoutWords.legend;
  const mode = session.colour.value;
  const { tint, heat } = colourings[mode];
  const colour = layoutWords.colours[mode];
  const isFar = !isFew(info);
  const isTiled = info.tiles.length > 0;
  const isValue = session.cells.value === "value";
  const numbers: [string, string][] = [
    [
      compared ? "13→17" : w.samples[session.cells.value],
      compared ? w.moves : w.numbers[session.cells.value],
    ],
    [isValue ? w.samples.value : w.samples.index, isValue ? w.valuesThere : w.indices],
    ...(isTiled && isFar ? [[w.samples.block, w.block] as [string, string]] : []),
  ];
  const near = mode === "address" ? w.address : w.heat(colour);
  const far = compared ? w.farMoved : tint ? w.far : "";
  const shades = heat && !compared ? near : isFar ? far : "";
  return (
    <ul class="legend" aria-label={w.title}>
      {numbers.map(([sample, text]) => (
        <li key={text}>
          <b>{sample}</b> {text}
        </li>
      ))}
      {compared && (
        <li>
          <Swatches of="moved" /> {w.moved}
        </li>
      )}
      {!compared && tint && (
        <li>
          <Swatches of="tint" /> {w.tint(colour)}
        </li>
      )}
      {shades && (
        <li>
          <Swatches of="heat" /> {shades}
        </li>
      )}
      {[info, compared?.info.value].some((each) => each && hasPadding(each)) && (
        <li>
          <Swatches of="padding" /> {w.padding}
        </li>
      )}
      {isTiled && <li>{w.lines}</li>}
    </ul>
  );
}
