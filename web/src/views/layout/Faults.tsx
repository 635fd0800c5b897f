/** What is wrong with a layout, on the characters that are wrong. */
import type { JSX } from "preact";
import type { Diagnostic } from "../../../../wasm/engine_api";
import { words } from "../../strings";

/** A text around a range; an empty range marks the place between two characters. */
export function around(text: string, [begin, end]: [number, number]): [string, string, string] {
  const from = Math.max(0, Math.min(begin, text.length));
  const to = Math.max(from, Math.min(end, text.length));
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

function Marked({ text, fault }: { text: string; fault: Diagnostic }): JSX.Element {
  const [before, wrong, after] = around(text, fault.range);
  return (
    <code class="fault-text">
      {before}
      <mark>{wrong || "\u00a0"}</mark>
      {after}
    </code>
  );
}

export function Faults(props: {
  /** What the field is described by. */
  id: string;
  text: string;
  faults: readonly Diagnostic[];
  /** A repaired text. */
  onFix(text: string): void;
}): JSX.Element {
  const { text, faults, onFix } = props;
  return (
    <div id={props.id} class="empty faults" role="status">
      <p>{words.layout.notLaidOut}</p>
      <ul>
        {faults.map((fault, i) => (
          <li key={i}>
            {fault.message}
            <Marked text={text} fault={fault} />
            {fault.fixes.map((fix) => {
              const [before, , after] = around(text, fix.range);
              return (
                <button
                  key={fix.title}
                  type="button"
                  onClick={() => onFix(`${before}${fix.replacement}${after}`)}
                >
                  {fix.title}
                </button>
              );
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
