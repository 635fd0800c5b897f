/** Makes the exports of a graph: the whole picture, not the part of it on the screen. */
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { fileName, saveFile } from "../../app/file_saver";
import { fittingLines, headOf, LINE, linesOf, pathOf } from "../../graph/placing";
import { optionsOf } from "./asking";
import { edgeNote, isOnPath, middleOf, noteOf } from "./Boxes";
import { type Colouring, coloured } from "./colours";
import type { GraphExportKind } from "./kinds";
import { type GraphSession, graphSession, type ShownGraph } from "./session";
import { graphWords as w } from "./words";

const MARGIN = 16;
/** Larger canvases browsers refuse. */
const MOST_PIXELS = 60_000_000;

const escaped = (text: string): string =>
  text.replace(
    /[&<>"]/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c,
  );

/** A colour of the style sheet as it is on the page. */
export type Paints = (name: string) => string;

/** What tints are on the page: files have no style sheet. */
export function readPaints(): Paints {
  const probe = document.createElement("div");
  probe.className = "graph-view";
  document.body.append(probe);
  const swatch = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  swatch.append(rect);
  probe.append(swatch);
  const found = new Map<string, string>();
  const paints: Paints = (name) => {
    const known = found.get(name);
    if (known !== undefined) return known;
    swatch.setAttribute("class", `graph-swatch ${name}`);
    const color = getComputedStyle(rect).fill || "none";
    found.set(name, color);
    return color;
  };
  for (const name of ["paint-text", "paint-muted", "paint-line", "paint-panel", "paint-accent"]) {
    paints(name);
  }
  for (const kind of ["tint", "heat"]) for (let i = 0; i < 10; i++) paints(`${kind}-${i}`);
  paints("");
  probe.remove();
  return paints;
}

/** The picture as a file: no style sheet, no script. */
export function svgOf(graph: ShownGraph, colouring: Colouring, paints: Paints): string {
  const { model, placed } = graph;
  const [width, height] = [placed.width + 2 * MARGIN, placed.height + 2 * MARGIN];
  const text = paints("paint-text");
  const line = paints("paint-line");
  const accent = paints("paint-accent");
  const boxOf = (i: number): string => {
    const box = model.boxes[i];
    const place = placed.boxes[i];
    if (!box || !place) return "";
    const [title = "", second = ""] = fittingLines(box);
    const fill = paints(box.isOpen ? "" : (colouring.shades[i]?.tint ?? ""));
    const lines = box.isOpen ? [] : [title, second, noteOf(graph, colouring, i)];
    const stroke = box.isOnPath ? accent : line;
    const letters = lines
      .map(
        (each, at) =>
          `<text x="9" y="${(at + 1) * LINE}" fill="${text}"${at === 0 ? ' font-weight="bold"' : ""}>${escaped(each)}</text>`,
      )
      .join("");
    return `<g transform="translate(${place.x} ${place.y})"><title>${escaped(linesOf(box).join(" "))}</title><rect width="${place.width}" height="${place.height}" rx="5" fill="${fill}" stroke="${stroke}"${box.canOpen && !box.isOpen ? ' stroke-width="2.5"' : ""}/>${letters}</g>`;
  };
  // Over the edges, which leave its letters alone.
  const panel = paints("paint-panel");
  const headAt = (i: number): string => {
    const [box, place] = [model.boxes[i], placed.boxes[i]];
    if (!box || !place) return "";
    return `<text x="${place.x + 9}" y="${place.y + LINE}" fill="${text}" font-weight="bold" paint-order="stroke" stroke="${panel}" stroke-width="4" stroke-linejoin="round">${escaped(headOf(box))}</text>`;
  };
  const dashes = {
    data: "",
    async: ' stroke-width="2.5"',
    carried: ' stroke-dasharray="7 4"',
    control: ' stroke-dasharray="2 3"',
  };
  const edges = model.edges
    .map((edge, i) => {
      const points = placed.edges[i] ?? [];
      const { x, y } = middleOf(points);
      const note = edgeNote(edge);
      return `<path d="${pathOf(points)}" fill="none" stroke="${isOnPath(graph, edge) ? accent : paints("paint-muted")}"${dashes[edge.kind]} marker-end="url(#a)"/>${note ? `<text x="${x + 4}" y="${y}" fill="${text}">${note}</text>` : ""}`;
    })
    .join("");
  const indices = model.boxes.map((_, i) => i);
  const isOpen = (i: number): boolean => model.boxes[i]?.isOpen === true;
  const open = indices.filter(isOpen);
  const closed = indices.filter((i) => !isOpen(i)).map(boxOf);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="monospace" font-size="12"><title>${escaped(w.of(model.shown))}</title><defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 .5L8 4L0 7.5z" fill="${paints("paint-muted")}"/></marker></defs><rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${panel}"/>${open.map(boxOf).join("")}${edges}${open.map(headAt).join("")}${closed.join("")}</svg>`;
}

function pictureOf(app: App, session: GraphSession, shown: ShownGraph): string {
  return svgOf(shown, coloured(app, session.colour.value, shown), readPaints());
}

function save(app: App, kind: GraphExportKind, data: BlobPart, type: string): void {
  const module = app.state.check.value?.module ?? "";
  const name = fileName(`${module || "program"}_graph`, `.${kind}`);
  saveFile(name, data, type);
  notify(app, w.saved(name));
}

async function pngOf(svg: string, { placed }: ShownGraph): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const [width, height] = [placed.width + 2 * MARGIN, placed.height + 2 * MARGIN];
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

type Saver = (app: App, session: GraphSession, shown: ShownGraph) => Promise<void>;

const savers: Readonly<Record<GraphExportKind, Saver>> = {
  svg: async (app, session, shown) =>
    save(app, "svg", pictureOf(app, session, shown), "image/svg+xml"),
  png: async (app, session, shown) => {
    const blob = await pngOf(pictureOf(app, session, shown), shown);
    if (blob) save(app, "png", blob, "image/png");
    else notify(app, w.notLaid, "error");
  },
  // Written by the engine.
  dot: async (app, session, shown) => {
    const options = { ...optionsOf(app, session), dot: true };
    const { dot } = await app.engines.typing.call("graph", [shown.text, options]);
    if (dot) save(app, "dot", dot, "text/vnd.graphviz");
  },
};

export async function savePicture(app: App, kind: GraphExportKind): Promise<void> {
  const session = graphSession(app);
  const shown = session.shown.value;
  if (shown) await savers[kind](app, session, shown);
}
