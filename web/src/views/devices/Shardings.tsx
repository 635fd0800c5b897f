/**
 * The sharding of the instruction at the cursor, or the first that cuts an array: its pieces by
 * device.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ShardingRow, ShardingsResult } from "../../../../wasm/engine_api";
import { selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { textsKey, useAnswer } from "../../ui/answer";
import { Shards } from "./Shards";
import { deviceWords as w } from "./words";

const keyOf = ({ computation, name }: Pick<ShardingRow, "computation" | "name">): string =>
  `${computation}/${name}`;

/** Every device, or one, has the whole array: there is little to see. */
const isWhole = ({ sharding }: ShardingRow): boolean =>
  /^\{(replicated|maximal|manual|unknown)\b/.test(sharding);

function Pieces(props: { app: App; row: ShardingRow; text: string }): JSX.Element | null {
  const { app, row, text } = props;
  const { name, computation } = row;
  const leaf = useSignal(0);
  const focus = useAnswer(`${keyOf(row)} ${textsKey(app, text)}`, () =>
    app.engines.typing.call("shardings", [text, { name, computation }]),
  ).value?.focus;
  if (!focus || keyOf(focus.row) !== keyOf(row)) return null;
  const shown = focus.leaves[leaf.value] ?? focus.leaves[0];
  return (
    <>
      {focus.leaves.length > 1 && (
        <label>
          {w.leaf}{" "}
          <select
            value={String(leaf.value)}
            onChange={(event) => {
              leaf.value = Number(event.currentTarget.value);
            }}
          >
            {focus.leaves.map(({ index, shape }, i) => (
              <option key={index.join(",")} value={String(i)}>
                {`{${index.join(",")}} ${shape}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {focus.leafCount > focus.leaves.length && (
        <p class="muted">{w.more(focus.leaves.length, focus.leafCount)}</p>
      )}
      {shown && <Shards leaf={shown} />}
    </>
  );
}

/** `answer` has at least one row. */
export function Shardings(props: { app: App; answer: ShardingsResult }): JSX.Element | null {
  const { app, answer } = props;
  const text = app.state.text.value;
  const { name, computation } = app.state.focus.value;
  const first = answer.rows.find((row) => !isWhole(row)) ?? answer.rows[0];
  if (!first) return null;
  const row =
    answer.rows.find(
      (r) => r.name === name && (computation === "" || r.computation === computation),
    ) ?? first;
  return (
    <section class="devices-part" aria-label={w.shardings}>
      <h2>{w.shardings}</h2>
      <label>
        {w.instruction}{" "}
        <select
          value={keyOf(row)}
          onChange={(event) => {
            const chosen = answer.rows.find((r) => keyOf(r) === event.currentTarget.value);
            if (!chosen) return;
            selectInstruction(app, chosen);
            app.editor?.goTo(chosen.range, false);
          }}
        >
          {answer.rows.map((r) => (
            <option key={keyOf(r)} value={keyOf(r)}>
              {`${r.shown} ${r.shape}`}
            </option>
          ))}
        </select>
      </label>
      {answer.count > answer.rows.length && (
        <p class="muted">{w.more(answer.rows.length, answer.count)}</p>
      )}
      <Pieces key={keyOf(row)} app={app} row={row} text={text} />
    </section>
  );
}
