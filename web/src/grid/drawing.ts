/** The canvas of a grid: as sharp as the screen is, drawn again whenever the grid is rendered. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { type GridTheme, readTheme } from "./theme";
import type { CellSize } from "./viewport";

/** Draws on a canvas that fills the area; `draw` counts in CSS pixels. Nothing until there is an area. */
export function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  area: CellSize,
  draw: (ctx: CanvasRenderingContext2D, theme: GridTheme) => void,
): void {
  useLayoutEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d");
    if (!element || !ctx || area.width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(area.width * ratio);
    const height = Math.round(area.height * ratio);
    if (element.width !== width || element.height !== height) {
      element.width = width;
      element.height = height;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, readTheme(element));
  });
}
