/** Finds instructions by name, opcode and op_name: a box with the list of what it found below. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { GraphItem } from "../../../../wasm/engine_api";
import { tellFailure } from "../../app/actions";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { graphWords as w } from "./words";

const SHOWN = 12;

export function Search(props: { app: App; onChoose(item: GraphItem): void }): JSX.Element {
  const { app } = props;
  const wanted = useSignal("");
  const at = useSignal(0);
  const text = app.state.text.value;
  const asked = wanted.value.trim();
  const find = async () => ({
    asked,
    found: await app.engines.typing.call("graphSearch", [text, asked]),
  });
  const last = useAnswer(asked ? `${asked}\n${text}` : "", () => (asked ? find() : null)).value;
  const answer = last?.asked === asked ? last.found : null;
  const items = answer?.items.slice(0, SHOWN) ?? [];
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
          find().then(({ found }) => choose(found.items[0])),
        );
    } else if (event.key === "Escape" && wanted.value) wanted.value = "";
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpen = asked !== "" && answer !== null;
  return (
    <div class="graph-search">
      <input
        type="text"
        role="combobox"
        placeholder={w.search}
        aria-label={w.search}
        aria-expanded={isOpen && items.length > 0}
        aria-autocomplete="list"
        {...(isOpen && items.length > 0
          ? { "aria-controls": "graph-found", "aria-activedescendant": `graph-found-${at.value}` }
          : {})}
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={keyDown}
      />
      {isOpen && (
        <div class="graph-found">
          {items.length > 0 && (
            <div id="graph-found" role="listbox" aria-label={w.search}>
              {items.map((item, i) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the box
                <div
                  key={`${item.computation}/${item.name}`}
                  id={`graph-found-${i}`}
                  role="option"
                  aria-selected={i === at.value}
                  tabIndex={-1}
                  onClick={() => choose(item)}
                >
                  <b class="mono">{item.shown}</b> <span class="mono">{item.opcode}</span>{" "}
                  <span class="mono muted">{item.shape}</span>
                </div>
              ))}
            </div>
          )}
          <p class="muted">
            {answer.count === 0
              ? w.notFound
              : answer.count > items.length
                ? w.moreFound(answer.count - items.length)
                : w.found(answer.count)}
          </p>
        </div>
      )}
    </div>
  );
}
