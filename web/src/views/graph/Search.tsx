/** Finds instructions by name, opcode and op_name: a box with the list of what it found below. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { GraphFound, GraphItem } from "../../../../wasm/engine_api";
import { tellFailure } from "../../app/actions";
import type { App } from "../../app/app";
import { textsKey, useAnswer } from "../../ui/answer";
import { graphWords as w } from "./words";

const SHOWN = 12;

/** What is looked for, and what there is. */
interface Finding {
  asked: string;
  /** Null while nothing is looked for, or the engine still looks. */
  answer: GraphFound | null;
  items: readonly GraphItem[];
  find(): Promise<GraphFound>;
}

function useFinding(app: App, wanted: string): Finding {
  const text = app.state.text.value;
  const asked = wanted.trim();
  const find = (): Promise<GraphFound> => app.engines.typing.call("graphSearch", [text, asked]);
  const ask = async () => ({ asked, found: await find() });
  const last = useAnswer(asked ? `${asked}\n${textsKey(app, text)}` : "", () =>
    asked ? ask() : null,
  ).value;
  const answer = asked !== "" && last?.asked === asked ? last.found : null;
  return { asked, answer, items: answer?.items.slice(0, SHOWN) ?? [], find };
}

interface FoundProps {
  count: number;
  items: readonly GraphItem[];
  /** Index of the item that Enter takes. */
  at: number;
  onChoose(item: GraphItem): void;
}

const itemId = (at: number): string => `graph-found-${at}`;

/** What was found, the first of them as a list to choose from. */
function Found({ count, items, at, onChoose }: FoundProps): JSX.Element {
  return (
    <div class="graph-found">
      {items.length > 0 && (
        <div id="graph-found" role="listbox" aria-label={w.search}>
          {items.map((item, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the box
            <div
              key={`${item.computation}/${item.name}`}
              id={itemId(i)}
              role="option"
              aria-selected={i === at}
              tabIndex={-1}
              onClick={() => onChoose(item)}
            >
              <b class="mono">{item.shown}</b> <span class="mono">{item.opcode}</span>{" "}
              <span class="mono muted">{item.shape}</span>
            </div>
          ))}
        </div>
      )}
      <p class="muted">
        {count === 0
          ? w.notFound
          : count > items.length
            ? w.moreFound(count - items.length)
            : w.found(count)}
      </p>
    </div>
  );
}

export function Search(props: { app: App; onChoose(item: GraphItem): void }): JSX.Element {
  const { app } = props;
  const wanted = useSignal("");
  const at = useSignal(0);
  const { asked, answer, items, find } = useFinding(app, wanted.value);
  const choose = (item: GraphItem | undefined): void => {
    if (!item) return;
    wanted.value = "";
    props.onChoose(item);
  };
  const keyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) {
      at.value = (at.value + step + items.length) % items.length;
    } else if (event.key === "Enter") {
      // Who writes fast does not wait for the list.
      if (answer) choose(items[at.value]);
      else if (asked)
        tellFailure(
          app,
          find().then((found) => choose(found.items[0])),
        );
    } else if (event.key === "Escape" && wanted.value) wanted.value = "";
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hasItems = items.length > 0;
  return (
    <div class="graph-search">
      <input
        type="text"
        role="combobox"
        placeholder={w.search}
        aria-label={w.search}
        aria-expanded={hasItems}
        aria-autocomplete="list"
        {...(hasItems
          ? { "aria-controls": "graph-found", "aria-activedescendant": itemId(at.value) }
          : {})}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={keyDown}
      />
      {answer && <Found count={answer.count} items={items} at={at.value} onChoose={choose} />}
    </div>
  );
}
