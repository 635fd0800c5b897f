/** The same map in every notation that can say it, and a reason where one cannot. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import { typeShape } from "../../app/actions";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { layoutWords } from "./words";

function List({ app, info }: { app: App; info: LayoutInfo }): JSX.Element | null {
  const conversions = useAnswer(info.subject, () =>
    app.engines.typing.call("layoutConversions", [info.subject]),
  ).value;
  if (!conversions) return null;
  return (
    <dl class="conversions">
      {conversions.map(({ notation, name, text, reason, note }) => (
        <div key={notation}>
          <dt>{name}</dt>
          <dd>
            {text ? (
              <button
                type="button"
                class="quiet mono"
                aria-current={notation === info.notation ? "true" : undefined}
                onClick={() => typeShape(app, text)}
              >
                {text}
              </button>
            ) : (
              <span class="muted">{reason}</span>
            )}
            {note && <span class="muted">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Conversions(props: { app: App; info: LayoutInfo }): JSX.Element {
  const open = useSignal(false);
  return (
    <details
      class="advice"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>{layoutWords.conversions}</summary>
      {open.value && <List {...props} />}
    </details>
  );
}
