/** The two pictures of a layout side by side: the logical array and linear memory. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { cellOf } from "../../ui/axes";
import { integer } from "../../ui/format";
import { Legend } from "./Legend";
import { LogicalPicture } from "./LogicalPicture";
import { MemoryPicture } from "./MemoryPicture";
import { isFew, tileSizes } from "./model";
import { type ComparedProps, type PicturesProps, speak, TALLEST } from "./picture_parts";
import { lineOf } from "./session";
import { layoutWords } from "./words";

/** What is hovered, or else selected, in one line; read out when the selection moves. */
function SpotLine({ session, info, compared }: ComparedProps): JSX.Element {
  const spotText = (which: "hover" | "picked"): string => {
    const spot = session[which].value;
    if (!spot) return "";
    const place = spot.index ? cellOf(session.axes.value, spot.index) : null;
    const said = speak(session, info, spot, place);
    const there = compared?.[which].value;
    const same = spot.index && there?.index?.join() === spot.index.join() && there.offset >= 0;
    return same ? `${said}, ${layoutWords.goesTo(integer(there.offset))}` : said;
  };
  const hovered = spotText("hover");
  const picked = spotText("picked");
  return (
    <p class="spot-line">
      <span aria-hidden="true">{hovered || picked}</span>
      <span class="visually-hidden" aria-live="polite">
        {picked}
      </span>
    </p>
  );
}

/** No more height than the taller picture can use. */
function mostHeight({ session, info, compared }: ComparedProps): number {
  const padded = info.paddedDims;
  const rows = session.axes.value.row >= 0 ? (padded[session.axes.value.row] ?? 1) : 1;
  const lines = Math.ceil(info.physicalElements / lineOf(session));
  const other = compared?.info.value;
  const below = compared && other ? Math.ceil(other.physicalElements / lineOf(compared)) + 2 : 0;
  return Math.max(4, rows, lines + below) * TALLEST + 60;
}

function Memory(props: PicturesProps & { id: string; title: string }): JSX.Element {
  return (
    <section aria-label={props.title}>
      <h2>{props.title}</h2>
      <MemoryPicture {...props} />
    </section>
  );
}

/** "in 16 × 2 tiles", along every dimension; "" where the array is not cut into tiles of its own sizes. */
export function tilesText(info: LayoutInfo): string {
  const sizes = tileSizes(info);
  if (sizes.every((size) => size <= 1)) return "";
  const counts = info.paddedDims.map((size, d) => Math.ceil(size / (sizes[d] ?? 1)));
  return layoutWords.tilesOf(counts.join(" × "));
}

export function Pictures(props: ComparedProps): JSX.Element {
  const { compared } = props;
  const other = compared?.info.value;
  const sizes = `${props.info.dims.join(" × ")} ${tilesText(props.info)}`;
  return (
    <>
      <div
        class={`pictures ${isFew(props.info) ? "few" : ""}`}
        style={{ "--most": `${mostHeight(props)}px` }}
      >
        <section aria-label={layoutWords.logical}>
          <h2 title={sizes}>
            {layoutWords.logical} <span class="muted">{sizes}</span>
          </h2>
          <LogicalPicture {...props} />
        </section>
        {compared && other ? (
          <div class="two-memories">
            <Memory {...props} id="memory-grid" title={layoutWords.before} />
            <Memory
              {...props}
              session={compared}
              info={other}
              id="memory-after-grid"
              title={layoutWords.after}
            />
          </div>
        ) : (
          <Memory {...props} id="memory-grid" title={layoutWords.memory} />
        )}
      </div>
      <SpotLine {...props} />
      <Legend {...props} />
    </>
  );
}
