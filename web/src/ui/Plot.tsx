/** A plot by uPlot, as wide as there is room; what it shows is said in its label. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plot.css";

/** The colours of a plot. */
export interface PlotColours {
  text: string;
  grid: string;
  line: string;
  fill: string;
  /** For several lines. */
  lines: readonly string[];
}

/** The colours of several lines, as the style sheet has them. */
export const LINES = [1, 4, 2, 0, 3, 5].map((i) => `--pin-${i}`);

export interface PlotProps {
  label: string;
  /** When it changes the plot is drawn anew. */
  version: string;
  data: uPlot.AlignedData;
  options(colours: PlotColours): Omit<uPlot.Options, "width" | "height">;
}

function coloursOf(element: Element): PlotColours {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim() || "gray";
  return {
    text: read("--muted"),
    grid: read("--line"),
    line: read("--accent"),
    fill: read("--accent-soft"),
    lines: LINES.map(read),
  };
}

/** An axis in the page's colours. */
export function axisOf(colours: PlotColours, label: string): uPlot.Axis {
  const ticks = { stroke: colours.grid, width: 1 };
  return { stroke: colours.text, grid: ticks, ticks, label, labelSize: 20, size: 46 };
}

export function Plot({ label, version, data, options }: PlotProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const sizeOf = () => ({
      width: Math.max(120, element.clientWidth),
      // Below the plot itself uPlot puts its legend.
      height: Math.max(140, element.clientHeight - 34),
    });
    const plot = new uPlot({ ...options(coloursOf(element)), ...sizeOf() }, data, element);
    const watch = new ResizeObserver(() => plot.setSize(sizeOf()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [version]);
  return <div class="plot" role="img" aria-label={label} ref={place} />;
}
