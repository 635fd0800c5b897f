/** A picture or figures of a whole array, as chosen. */
import type { JSX } from "preact";
import type { Figure } from "../session";
import type { FigureProps } from "./asking";
import { Bits } from "./Bits";
import { HeatMap } from "./HeatMap";
import { Histogram } from "./Histogram";
import { LinePlot } from "./LinePlot";
import { Statistics } from "./Statistics";
import "./figures.css";

const COMPONENTS: Record<Figure, (props: FigureProps) => JSX.Element> = {
  map: HeatMap,
  histogram: Histogram,
  line: LinePlot,
  statistics: Statistics,
  bits: Bits,
};

export function FigureView({ figure, ...props }: FigureProps & { figure: Figure }): JSX.Element {
  const Component = COMPONENTS[figure];
  return (
    <div class="figure">
      <Component {...props} />
    </div>
  );
}
