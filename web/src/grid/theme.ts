/** Colours for canvas, read from the same CSS variables that the rest of the page uses. */
export interface GridTheme {
  background: string;
  text: string;
  muted: string;
  line: string;
  strongLine: string;
  header: string;
  accent: string;
  hover: string;
  hatch: string;
  hatchBackground: string;
  tiles: string[];
  pins: string[];
  heatLow: string;
  heatHigh: string;
  heatNan: string;
  font: string;
}

/** The heat of what is no number: it has a colour of its own. */
export const NOT_A_NUMBER = 2;
export const TILE_COLOURS = 8;
export const PIN_COLOURS = 6;

export function readTheme(element: Element): GridTheme {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim() || "gray";
  return {
    background: read("--panel"),
    text: read("--text"),
    muted: read("--muted"),
    line: read("--cell-line"),
    strongLine: read("--tile-line"),
    header: read("--panel-2"),
    accent: read("--accent"),
    hover: read("--hover-ring"),
    hatch: read("--hatch"),
    hatchBackground: read("--hatch-bg"),
    tiles: Array.from({ length: TILE_COLOURS }, (_, i) => read(`--tile-${i}`)),
    pins: Array.from({ length: PIN_COLOURS }, (_, i) => read(`--pin-${i}`)),
    heatLow: read("--heat-low"),
    heatHigh: read("--heat-high"),
    heatNan: read("--heat-nan"),
    font: read("--mono"),
  };
}
