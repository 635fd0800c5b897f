/** The reference of all operations, straight from the engine's table. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { OpInfo } from "../../../../wasm/engine_api";
import { loadOps } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Filter, NoMatch } from "../../ui/Filter";
import { opsSession } from "./session";
import "./ops.css";
import { opsWords } from "./words";

/** Names that match come before texts that do. */
export function filterOps(ops: OpInfo[], filter: string): OpInfo[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return ops;
  const byName = ops.filter((op) => op.name.includes(wanted));
  const byText = ops.filter(
    (op) =>
      !op.name.includes(wanted) &&
      (op.doc.toLowerCase().includes(wanted) ||
        op.attributes.some((attribute) => attribute.name.includes(wanted))),
  );
  return [...byName, ...byText];
}

/** An attribute as a program has it: "offset_dims={i,...}"; or what stands there, in words. */
function Written(props: OpInfo["attributes"][number]): JSX.Element {
  const { name, syntax, words: choices } = props;
  const isProse = /^[a-z]+ /i.test(syntax);
  return (
    <>
      <code>{isProse ? `${name}=` : [name, syntax].filter(Boolean).join("=")}</code>
      {isProse && `${[syntax, choices.join(", ")].filter(Boolean).join(": ")}.`}
      {!isProse && choices.length > 0 && ` ${choices.join(", ")}.`}
    </>
  );
}

function Op({ op }: { op: OpInfo }): JSX.Element {
  const open = useSignal(false);
  const w = opsWords;
  return (
    <details
      class="op"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>
        <code>{op.name}</code>
        <span class="op-doc">{op.doc}</span>
        <span class={op.evaluated ? "badge good" : "badge"}>
          {op.evaluated ? w.evaluated : w.parsed}
        </span>
      </summary>
      {open.value && (
        <dl>
          {op.operands.length > 0 && (
            <>
              <dt>{w.operands}</dt>
              <dd class="mono">{op.operands.join(", ")}</dd>
            </>
          )}
          {op.types && (
            <>
              <dt>{w.types}</dt>
              <dd>{op.types}</dd>
            </>
          )}
          {op.attributes.length > 0 && (
            <>
              <dt>{w.attributes}</dt>
              <dd>
                <ul>
                  {op.attributes.map((attribute) => (
                    <li key={attribute.name}>
                      <Written {...attribute} />
                      {attribute.required && <span class="badge">{w.required}</span>}{" "}
                      {attribute.doc}
                    </li>
                  ))}
                </ul>
              </dd>
            </>
          )}
          {op.differs && (
            <>
              <dt>{w.differs}</dt>
              <dd>{op.differs}</dd>
            </>
          )}
          {op.source && (
            <>
              <dt>{w.source}</dt>
              <dd>{op.source}</dd>
            </>
          )}
        </dl>
      )}
    </details>
  );
}

export function OpsView({ app }: { app: App }): JSX.Element {
  const ops = app.state.ops.value;
  useEffect(() => {
    if (app.state.ops.peek().length === 0) void loadOps(app);
  }, []);
  if (ops.length === 0) {
    return (
      <Empty
        sentence={app.state.engineProblem.value || words.ops.empty}
        action={words.ops.emptyAction}
        onAction={() => void loadOps(app)}
      />
    );
  }
  const { filter } = opsSession(app);
  const shown = filterOps(ops, filter.value);
  return (
    <div class="ops-view">
      <div class="list-tools">
        <Filter label={opsWords.filter} text={filter} />
        <span class="muted">{opsWords.count(shown.length, ops.length)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="ops-list" tabIndex={0} aria-label={words.ops.title}>
        {shown.length === 0 && <NoMatch text={filter} sentence={opsWords.noMatch} />}
        {shown.map((op) => (
          <Op key={op.name} op={op} />
        ))}
      </section>
    </div>
  );
}
