/** A picture or figures of a whole array, as chosen. */
import type { JSX } from "preact";
import { isComplex } from "../../../../../wasm/element_types";
import { COMPLEX_PARTS } from "../../../../../wasm/figure_types";
import { useWord } from "../look";
import type { Figure } from "../session";
import type { FigureProps } from "./asking";
import { Bits } from "./Bits";
import { HeatMap } from "./HeatMap";
import { Histogram } from "./Histogram";
import { ImageView } from "./ImageView";
import { LinePlot } from "./LinePlot";
import { Choice } from "./Pending";
import { Statistics } from "./Statistics";
import { figureWords } from "./words";
import "./figures.css";

const COMPONENTS: Record<Figure, (props: FigureProps) => JSX.Element> = {
  map: HeatMap,
  image: ImageView,
  histogram: Histogram,
  line: LinePlot,
  statistics: Statistics,
  bits: Bits,
};

/** Which number of a complex element all of this is about. */
function PartChoice({ app }: Pick<FigureProps, "app">): JSX.Element {
  const part = useWord(app, "part", COMPLEX_PARTS, "magnitude");
  const w = figureWords.part;
  return (
    <p class="figure-choices">
      <Choice
        label={w.label}
        names={w.names}
        value={part.value}
        onChange={(next) => {
          part.value = next;
        }}
      />
    </p>
  );
}

export function FigureView({ figure, ...props }: FigureProps & { figure: Figure }): JSX.Element {
  const Component = COMPONENTS[figure];
  return (
    <div class="figure">
      {figure !== "bits" && isComplex(props.value.elementType) && <PartChoice app={props.app} />}
      <Component {...props} />
    </div>
  );
}
