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

interface OpProps {
  op: OpInfo;
  /** The one that Tab goes to: the arrows go to the others. */
  isCurrent: boolean;
  onFocus(): void;
}

function Op({ op, isCurrent, onFocus }: OpProps): JSX.Element {
  const open = useSignal(false);
  const w = opsWords;
  return (
    <details
      class="op"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a button by itself */}
      <summary tabIndex={isCurrent ? 0 : -1} onFocus={onFocus}>
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

/** The arrows, Home and End go from one operation to another. */
function onListKey(event: KeyboardEvent): void {
  const all = [...(event.currentTarget as Element).querySelectorAll("summary")];
  const at = all.indexOf(event.target as HTMLElement);
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: all.length - 1,
  };
  const to = all[moves[event.key] ?? -1];
  if (at < 0 || !to) return;
  event.preventDefault();
  event.stopPropagation();
  to.focus();
}

export function OpsView({ app }: { app: App }): JSX.Element {
  const ops = app.state.ops.value;
  const current = useSignal("");
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
  const at = Math.max(
    0,
    shown.findIndex(({ name }) => name === current.value),
  );
  return (
    <div class="ops-view">
      <div class="list-tools">
        <Filter label={opsWords.filter} text={filter} />
        <span class="muted">{opsWords.count(shown.length, ops.length)}</span>
      </div>
      <section class="ops-list" aria-label={words.ops.title} onKeyDown={onListKey}>
        {shown.length === 0 && <NoMatch text={filter} sentence={opsWords.noMatch} />}
        {shown.map((op, i) => (
          <Op
            key={op.name}
            op={op}
            isCurrent={i === at}
            onFocus={() => {
              current.value = op.name;
            }}
          />
        ))}
      </section>
    </div>
  );
}
