/** A slice of an array as an image, grey or in colours, at any zoom, and as a file. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ValueImage } from "../../../../../wasm/engine_api";
import { selectElement } from "../../../app/actions";
import { fileName, saveFile } from "../../../app/file_saver";
import { AxisPicker } from "../../../ui/AxisPicker";
import { type Axes, indexAt, sliceSize } from "../../../ui/axes";
import { Icon } from "../../../ui/Icon";
import { selectedCell, useLook, useSlice } from "../look";
import { type FigureProps, useFigure, useFigures, useOptions } from "./asking";
import {
  type Brightness,
  brightnessOf,
  fittingZoom,
  imageAxes,
  MOST_PIXELS,
  nextZoom,
} from "./image";
import { Choice, Pending } from "./Pending";
import { type Block, blockAt, movedBlock } from "./painting";
import { figureWords } from "./words";

const w = figureWords.image;

/** The pixels on a canvas of their own size. */
function paint(canvas: HTMLCanvasElement, { rows, cols, pixels }: ValueImage): void {
  [canvas.width, canvas.height] = [cols, rows];
  const data = new ImageData(new Uint8ClampedArray(pixels), cols, rows);
  canvas.getContext("2d")?.putImageData(data, 0, 0);
}

const NO_IMAGE: ValueImage = {
  rows: 0,
  cols: 0,
  step: 1,
  channels: 1,
  nans: 0,
  pixels: new Uint8Array(),
};

interface PictureProps {
  label: string;
  /** Of the file. */
  name: string;
  /** Null: it is on its way, or cannot be had. */
  image: ValueImage | null;
  /** Null: as large as there is room. */
  zoom: number | null;
  selected: Block | null;
  onSelect(pixel: Block): void;
  onZoom(zoom: number): void;
  /** What stands before the zoom. */
  children: ComponentChildren;
}

/** The largest zoom at which the whole image is seen in its place, now and when the place changes. */
function useFittingZoom(place: RefObject<HTMLElement | null>, { rows, cols }: ValueImage): number {
  const fitted = useSignal(1);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const refit = (): void => {
      const room = { width: element.clientWidth - 4, height: element.clientHeight - 4 };
      fitted.value = fittingZoom(rows, cols, room);
    };
    refit();
    const watch = new ResizeObserver(refit);
    watch.observe(element);
    return () => watch.disconnect();
  }, [rows, cols]);
  return fitted.value;
}

interface ZoomProps {
  /** Of the image as it is on the screen. */
  scale: number;
  /** It is the one at which the whole is seen. */
  isFitted: boolean;
  /** 0: so that the whole is seen. */
  onZoom(zoom: number): void;
}

function ZoomButtons({ scale, isFitted, onZoom }: ZoomProps): JSX.Element {
  const button = (name: "minus" | "plus", label: string, direction: 1 | -1): JSX.Element => (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      title={label}
      onClick={() => onZoom(nextZoom(scale, direction))}
    >
      <Icon name={name} />
    </button>
  );
  return (
    <>
      <span class="muted">{w.zoom}</span>
      {button("minus", w.zoomOut, -1)}
      <span class="mono">{w.times(scale)}</span>
      {button("plus", w.zoomIn, 1)}
      <button type="button" class="quiet" aria-pressed={isFitted} onClick={() => onZoom(0)}>
        {w.fit}
      </button>
    </>
  );
}

interface FrameProps {
  canvas: RefObject<HTMLCanvasElement | null>;
  image: ValueImage;
  scale: number;
  selected: Block | null;
}

/** The image as large as it is zoomed, with a frame around the selected pixel. */
function Frame({ canvas, image, scale, selected }: FrameProps): JSX.Element {
  const box = (size: number): string => `${size * scale}px`;
  return (
    <div class="image-frame" style={{ width: box(image.cols), height: box(image.rows) }}>
      <canvas ref={canvas} class={scale >= 1 ? "image-canvas pixelated" : "image-canvas"} />
      {selected && (
        <i
          class="image-selected"
          style={{
            left: box(selected.col),
            top: box(selected.row),
            width: box(1),
            height: box(1),
          }}
        />
      )}
    </div>
  );
}

/** The image in its place, where keys and clicks select pixels, below choices, the zoom, and a button that saves it. */
function Picture(props: PictureProps): JSX.Element {
  const { label, name, zoom, selected, onSelect, onZoom } = props;
  const image = props.image ?? NO_IMAGE;
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current && image.rows > 0) paint(canvas.current, image);
  }, [image]);
  const fitting = useFittingZoom(place, image);
  const scale = zoom ?? fitting;
  const save = (): void =>
    canvas.current?.toBlob((blob) => blob && saveFile(fileName(name, ".png"), blob), "image/png");
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = ({ "+": 1, "=": 1, "-": -1 } as const)[event.key];
    if (direction) onZoom(nextZoom(scale, direction));
    const next = movedBlock(event.key, selected, image);
    if (next) onSelect(next);
    if (direction || next) event.preventDefault();
  };
  return (
    <div class="image-part">
      <p class="figure-choices">
        {props.children}
        <span class="image-zoom">
          <ZoomButtons scale={scale} isFitted={zoom === null} onZoom={onZoom} />
          <button type="button" class="quiet" disabled={!props.image} onClick={save}>
            <Icon name="save" />
            <span>{w.png}</span>
          </button>
        </span>
      </p>
      <div
        class="image-place"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved in by the arrow keys
        tabIndex={0}
        role="application"
        aria-label={label}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const pixel = canvas.current && blockAt(canvas.current, event, image);
          if (pixel) onSelect(pixel);
        }}
      >
        <Frame canvas={canvas} image={image} scale={scale} selected={selected} />
      </div>
    </div>
  );
}

/** The numbers of a pixel. */
function PixelLine(props: FigureProps & { index: number[]; axes: Axes; channels: number }) {
  const { app, valueRef, index, axes, channels } = props;
  const key = JSON.stringify([valueRef, index, axes.channel, channels]);
  const { answer } = useFigure(key, () => {
    const [colDim, cols] = channels > 1 ? [axes.channel ?? -1, channels] : [-1, 1];
    const spec = { origin: index, rowDim: -1, colDim, rows: 1, cols };
    return app.engines.results.call("valueWindow", [valueRef, spec]);
  });
  const texts = answer?.text.map((text, c) =>
    channels > 1 ? `${w.channels[c] ?? ""} ${text}` : text,
  );
  const place = w.pixel(index[axes.row] ?? 0, index[axes.col] ?? 0);
  return <span aria-live="polite">{[place, ...(texts ?? [])].join(", ")}</span>;
}

const USUAL_RANGE = "fit";

function RangeChoice({ app }: Pick<FigureProps, "app">): JSX.Element {
  const look = useLook(app, "range");
  const text = look.value || USUAL_RANGE;
  // Bounds that are typed stay, even where they pass through a range that has a name (0 to 1).
  const typing = useSignal(false);
  const isTyped = typing.value && text.includes(",");
  const known = (!isTyped && Object.keys(w.ranges).find((range) => range === text)) || "own";
  const set = (next: string): void => {
    look.value = next === USUAL_RANGE ? "" : next;
  };
  const [low = "0", high = "1"] = known === "own" ? text.split(",") : [];
  return (
    <>
      <Choice
        label={w.range}
        names={w.ranges}
        value={known as keyof typeof w.ranges}
        onChange={(next) => {
          typing.value = next === "own";
          set(typing.value ? "0,0.5" : next);
        }}
      />
      {known === "own" &&
        [w.low, w.high].map((name, i) => (
          <label key={name} class="check">
            {name}
            <input
              type="number"
              step="any"
              class="image-bound"
              value={i === 0 ? low : high}
              onInput={(event) => {
                const { value: typed } = event.currentTarget;
                typing.value = true;
                if (typed !== "") set(i === 0 ? `${typed},${high}` : `${low},${typed}`);
              }}
            />
          </label>
        ))}
    </>
  );
}

function About({ image }: { image: ValueImage }): JSX.Element {
  return (
    <>
      <span class="muted">{image.channels > 1 ? w.colour(image.channels) : w.grey}</span>
      {image.step > 1 && <span class="muted">{w.step(image.step)}</span>}
      {image.nans > 0 && <span class="muted">{w.nans(image.nans)}</span>}
    </>
  );
}

/** The image of a slice; null while it is on its way. */
function useImage(props: FigureProps, axes: Axes, range: Brightness | null) {
  const { app, value, valueRef } = props;
  const options = useOptions(props);
  const key = JSON.stringify([valueRef, options, axes]);
  const image = useFigure(key + JSON.stringify(range), async () => {
    if (!range) return null;
    const spec = {
      origin: axes.fixed,
      rowDim: axes.row,
      colDim: axes.col,
      ...sliceSize(axes, value.dims),
      channelDim: axes.channel ?? -1,
      ...range,
    };
    const most = MOST_PIXELS;
    return app.engines.results.call("valueImage", [valueRef, options, spec, most, most]);
  });
  // While another range is typed, the image as it was stays where it is.
  const latest = useRef<{ key: string; image: ValueImage } | null>(null);
  if (image.answer) latest.current = { key, image: image.answer };
  const made = !image.failed && latest.current?.key === key ? latest.current.image : null;
  return { made, failed: image.failed };
}

/** The image of a slice, with the choice of the slice above, and the numbers of a pixel below. */
export function ImageView(props: FigureProps): JSX.Element {
  const { app, value } = props;
  const axesLook = useSlice(app, "image", value.dims, imageAxes(value.dims));
  const axes = axesLook.value;
  const zoomLook = useLook(app, "zoom");
  const rangeText = useLook(app, "range").value || USUAL_RANGE;
  const figures = useFigures(props);
  const range = figures.answer && brightnessOf(rangeText, figures.answer);
  const { made, failed } = useImage(props, axes, range);
  const cell = selectedCell(app, axes, value.dims);
  const selected = cell &&
    made && { row: Math.floor(cell.row / made.step), col: Math.floor(cell.col / made.step) };
  if (!figures.answer) return <Pending failed={figures.failed} />;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          axesLook.value = next;
        }}
      />
      {failed && <Pending failed />}
      <Picture
        label={w.label(value.shape, made?.rows ?? 0, made?.cols ?? 0)}
        name={app.state.focus.value.name || "image"}
        image={made}
        zoom={Number(zoomLook.value) || null}
        selected={selected}
        onZoom={(next) => {
          zoomLook.value = next === 0 ? "" : String(next);
        }}
        onSelect={({ row, col }) =>
          made && selectElement(app, indexAt(axes, row * made.step, col * made.step))
        }
      >
        <RangeChoice app={app} />
        {made && <About image={made} />}
      </Picture>
      <p class="spot-line">
        {cell && made ? (
          <PixelLine
            {...props}
            index={indexAt(axes, cell.row, cell.col)}
            axes={axes}
            channels={made.channels}
          />
        ) : (
          w.hint
        )}
      </p>
    </>
  );
}
