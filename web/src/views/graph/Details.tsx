/** What is known of the box that is selected, its operands and users, and what can be done with it. */
import type { JSX } from "preact";
import type { GraphBox, GraphItem, GraphItems } from "../../../../wasm/engine_api";
import { Facts } from "../../ui/Facts";
import { bytes, integer } from "../../ui/format";
import type { ShownGraph } from "./session";
import { graphWords as w } from "./words";

const NEIGHBOURS = 12;

function factsOf(box: GraphBox): [string, string][] {
  const f = w.facts;
  const facts: [string, string][] = [];
  const add = (name: string, value: string): void => {
    if (value) facts.push([name, value]);
  };
  if (box.kind === "instruction") {
    add(f.shape, box.shape);
    add(f.bytes, box.bytes < 0 ? w.unknown : bytes(box.bytes));
    add(f.padding, box.paddingBytes > 0 ? bytes(box.paddingBytes) : "");
    add(f.line, box.line > 0 ? integer(box.line) : "");
    add(f.source, box.source);
    add(f.opName, box.opName);
    add(f.devices, box.devices);
  }
  if (box.kind === "group") {
    add(f.group, box.opName);
    add(f.from, w.fromTo(box.first, box.last));
  }
  if (box.count > 0) add(f.inside, w.inside(box.count).replace(/ inside$/, ""));
  if (box.precision !== "whole") add(f.precision, w.precision[box.precision]);
  if (box.hasNoRoom) add("", w.noRoom);
  return facts;
}

function Neighbours(props: {
  title: string;
  list: GraphItems;
  onChoose(item: GraphItem): void;
}): JSX.Element {
  const { title, list } = props;
  const items = list.items.slice(0, NEIGHBOURS);
  return (
    <p class="graph-neighbours">
      <b>{title}</b> {items.length === 0 && <span class="muted">{w.none}</span>}
      {items.map((item, i) => (
        <button
          key={i}
          type="button"
          class="quiet mono"
          title={`${item.opcode} ${item.shape}`}
          onClick={() => props.onChoose(item)}
        >
          {item.shown}
        </button>
      ))}
      {list.count > items.length && <span class="muted">{w.more(list.count - items.length)}</span>}
    </p>
  );
}

export interface DetailActions {
  toggle(): void;
  neighborhood(): void;
  only(computation: string): void;
  pathFrom(): void;
  pathTo(): void;
  choose(item: GraphItem): void;
}

export function Details(props: {
  graph: ShownGraph;
  at: number;
  actions: DetailActions;
}): JSX.Element | null {
  const { graph, at, actions } = props;
  const { model } = graph;
  const box = model.boxes[at];
  if (!box) return null;
  const isInstruction = box.kind === "instruction";
  const focus = model.focus;
  const isFocus =
    isInstruction && focus?.name === box.name && focus.computation === box.computation;
  return (
    <section class="graph-details" aria-label={isInstruction ? box.shown : undefined}>
      <div class="detail-tools">
        <h2 class="mono">
          {isInstruction ? box.shown : box.kind === "group" ? box.title : box.shownComputation}
        </h2>
        {isInstruction && <span class="mono muted">{box.opcode}</span>}
        {box.canOpen && (
          <button type="button" onClick={actions.toggle}>
            {box.isOpen ? w.close : w.open}
          </button>
        )}
        {isInstruction && (
          <>
            <button type="button" onClick={actions.neighborhood}>
              {w.neighborhood}
            </button>
            <button type="button" onClick={actions.pathFrom}>
              {w.pathFrom}
            </button>
            <button type="button" onClick={actions.pathTo}>
              {w.pathTo}
            </button>
          </>
        )}
        {box.computation !== model.computation && (
          <button type="button" title={w.onlyTitle} onClick={() => actions.only(box.computation)}>
            {w.only}
          </button>
        )}
      </div>
      <Facts class="facts" facts={factsOf(box)} />
      {isFocus && focus && (
        <>
          <Neighbours title={w.operands} list={focus.operands} onChoose={actions.choose} />
          <Neighbours title={w.users} list={focus.users} onChoose={actions.choose} />
        </>
      )}
    </section>
  );
}
