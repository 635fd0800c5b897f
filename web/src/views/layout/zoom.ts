/**
 * How near a picture is seen, and where: in a link `cells~120,300.5`, `tiles:60x35.5~8,128`, of memory
 * `cells~4096`. The place is an element in the middle of the picture, so that a window of another size
 * shows what is around it; none is the start. Cells without a size have that of their scale. Pure.
 */
import type { CellSize } from "../../grid/viewport";

export interface Zoom {
  /** Of what; null: of what the link leads to. */
  subject: string | null;
  /** A scale by its name, or by its number if it has none. */
  scale: string;
  cell: CellSize | null;
  /**
   * Row and column, or an offset, whose fraction is how much of its line is above; none for the start.
   */
  place: readonly number[];
}

export type PictureId = "logical" | "memory";

const FORM =
  /^(whole|tiles|cells|bytes|\d{1,2})(?::(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?))?(?:~(\d{1,15}(?:\.\d{1,2})?)(?:,(\d{1,15}(?:\.\d{1,2})?))?)?$/;

export function parseZoom(text: string): Zoom | null {
  const [, scale, width, height, ...place] = FORM.exec(text) ?? [];
  if (scale === undefined) return null;
  return {
    subject: null,
    scale,
    cell: width && height ? { width: Number(width), height: Number(height) } : null,
    place: place.filter(Boolean).map(Number),
  };
}

const short = (n: number): string => String(Math.round(n * 100) / 100);

export function zoomText(zoom: Zoom | null): string {
  if (!zoom) return "";
  const { scale, cell, place } = zoom;
  const size = cell ? `:${short(cell.width)}x${short(cell.height)}` : "";
  return scale + size + (place.length > 0 ? `~${place.map(short).join(",")}` : "");
}
