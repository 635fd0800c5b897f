/** The tree of measured times as rows of boxes, each as wide as its share of what it is in. */
import type { JSX } from "preact";
import type { ProfileNode } from "../../../../wasm/engine_api";
import { percent } from "../../ui/format";
import { duration } from "../../ui/scaled";
import { useWidth } from "../../ui/size";
import { profileWords } from "./words";

const WIDTH = 1000;
const ROW = 26;
/** Narrower boxes cannot be seen. */
const LEAST = 1;
/** In pixels: of a letter, and beside a name. */
const LETTER = 7.25;
const MARGIN = 4;
/** Less of a name says nothing. */
const LEAST_LETTERS = 4;

/** In thousandths of the picture's width. */
export interface Box {
  node: ProfileNode;
  index: number;
  x: number;
  width: number;
}

/** What of a name there is room for in so many pixels. */
export function fittingName(name: string, pixels: number): string {
  const most = Math.floor((pixels - 2 * MARGIN) / LETTER);
  if (name.length <= most) return name;
  return most < LEAST_LETTERS ? "" : `${name.slice(0, most - 1)}…`;
}

/** The boxes of a tree where one node takes all of the width: it, what it is in, what is in it. */
export function boxesOf(nodes: readonly ProfileNode[], zoomed: number): Box[] {
  const zoom = nodes[zoomed] ?? nodes[0];
  if (!zoom || zoom.seconds <= 0) return [];
  const boxes: Box[] = [];
  nodes.forEach((node, index) => {
    const begin = Math.max(node.begin, zoom.begin);
    const end = Math.min(node.begin + node.seconds, zoom.begin + zoom.seconds);
    const width = ((end - begin) / zoom.seconds) * WIDTH;
    if (width >= LEAST) {
      boxes.push({ node, index, x: ((begin - zoom.begin) / zoom.seconds) * WIDTH, width });
    }
  });
  return boxes;
}

const nameOf = (node: ProfileNode): string => node.name || profileWords.program;

export function Icicle(props: {
  nodes: readonly ProfileNode[];
  zoomed: number;
  selected: number;
  onSelect(index: number): void;
}): JSX.Element {
  const { nodes, zoomed, selected, onSelect } = props;
  const boxes = boxesOf(nodes, zoomed);
  const total = nodes[0]?.seconds ?? 0;
  const { ref, width: pixels } = useWidth(WIDTH);
  const at = boxes.findIndex(({ index }) => index === selected);
  const onKeyDown = (event: KeyboardEvent): void => {
    const here = boxes[at]?.node ?? nodes[0];
    const level = boxes.filter(({ node }) => node.level === here?.level);
    const beside = level.findIndex(({ index }) => index === selected);
    const moves: Record<string, number | undefined> = {
      ArrowRight: level[beside + 1]?.index,
      ArrowLeft: level[beside - 1]?.index,
      ArrowUp: here && here.parent >= 0 ? here.parent : undefined,
      ArrowDown: boxes.find(({ node }) => node.parent === Math.max(0, selected))?.index,
      Home: 0,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    const to = moves[event.key];
    if (to !== undefined) onSelect(to);
  };
  return (
    <div
      ref={ref}
      class="profile-icicle"
      role="listbox"
      tabIndex={0}
      aria-label={profileWords.icicle}
      {...(at >= 0 ? { "aria-activedescendant": `profile-box-${selected}` } : {})}
      onKeyDown={onKeyDown}
    >
      <svg role="presentation">
        {boxes.map(({ node, index, x, width }) => (
          <g
            key={index}
            id={`profile-box-${index}`}
            class={`box level-${node.level}`}
            role="option"
            aria-selected={index === selected}
            aria-label={profileWords.node(
              nameOf(node),
              duration(node.seconds),
              percent(total > 0 ? node.seconds / total : 0),
            )}
            onClick={() => onSelect(index)}
          >
            <rect
              x={`${(x / WIDTH) * 100}%`}
              y={node.level * ROW}
              width={`${(width / WIDTH) * 100}%`}
              height={ROW - 1}
            />
          </g>
        ))}
      </svg>
      {/* The labels of the boxes have all of the names. */}
      <div class="profile-names" aria-hidden="true">
        {boxes.map(({ node, index, x, width }) => (
          <span key={index} style={{ left: `${(x / WIDTH) * 100}%`, top: `${node.level * ROW}px` }}>
            {fittingName(nameOf(node), (width / WIDTH) * pixels.value)}
          </span>
        ))}
      </div>
    </div>
  );
}
