/** What the numbers, the colours and the lines of the pictures are. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { colourings } from "./colours";
import { isFew } from "./model";
import type { ComparedProps } from "./picture_parts";
import { logicalScales, memoryScales, type ScaleName, scaleIndex } from "./scales";
import { type LayoutSession, lineOf, zoomOf } from "./session";
import { layoutWords } from "./words";
import type { PictureId } from "./zoom";

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

/** What the numbers of the pictures are of, as near as they are seen now. */
function lettered(session: LayoutSession, info: LayoutInfo) {
  const tiling = session.tiling.value;
  const shown = <S extends { name: ScaleName | null }>(scales: S[], picture: PictureId): S => {
    const at = scaleIndex(scales, zoomOf(session, picture)?.scale ?? "0");
    return (scales[at] ?? scales[0]) as S;
  };
  const { step } = shown(logicalScales(info, session.axes.value), "logical");
  const { block } = shown(memoryScales(info, tiling, lineOf(session)), "memory");
  const volume = step.rows * step.cols;
  return {
    array: volume === 1,
    memory: block === 1,
    tiles: [volume, block].includes(tiling.volume) && tiling.volume > 1,
  };
}

/** The numbers that are in sight, each with an example. */
function numbersOf({ session, info, compared }: ComparedProps): [string, string][] {
  const w = layoutWords.legend;
  const cells = session.cells.value;
  const isValue = cells === "value";
  const own = lettered(session, info);
  const after = compared?.info.value ? lettered(compared, compared.info.value) : null;
  const inArray = compared ? [w.samples.moves, w.moves] : [w.samples[cells], w.numbers[cells]];
  const inMemory = isValue ? [w.samples.value, w.valuesThere] : [w.samples.index, w.indices];
  return [
    ...(own.array ? [inArray] : []),
    ...(own.memory || after?.memory ? [inMemory] : []),
    ...(info.tiles.length > 0 && own.tiles ? [[w.samples.block, w.block]] : []),
  ] as [string, string][];
}

export function Legend({ app, session, info, compared }: ComparedProps): JSX.Element {
  const w = layoutWords.legend;
  const mode = session.colour.value;
  const { tint, heat } = colourings[mode];
  const colour = layoutWords.colours[mode];
  const isFar = !isFew(info);
  const isTiled = info.tiles.length > 0;
  const near = mode === "address" ? w.address : w.heat(colour);
  const far = compared ? w.farMoved : tint ? w.far : "";
  const shades = heat && !compared ? near : isFar ? far : "";
  return (
    <ul class="legend" aria-label={w.title}>
      {numbersOf({ app, session, info, compared }).map(([sample, text]) => (
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
