/** Other layouts of the same array and what each wastes; the one that a TPU would choose first. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LayoutCandidate, LayoutInfo } from "../../../../wasm/engine_api";
import { compareWith, typeShape } from "../../app/actions";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { bytes, percent } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { layoutWords } from "./words";

const MOST_SHOWN = 24;

function Row(props: { app: App; candidate: LayoutCandidate }): JSX.Element {
  const { app, candidate } = props;
  const { shape, padding } = candidate;
  const w = layoutWords.advice;
  return (
    <tr>
      <th scope="row">
        <button type="button" class="quiet mono" onClick={() => typeShape(app, shape)}>
          {shape}
        </button>
      </th>
      <td class="number">{bytes(candidate.bytes)}</td>
      <td class="number">{padding > 0 ? percent(padding / candidate.bytes) : "0 %"}</td>
      <td>{candidate.note}</td>
      <td>{candidate.cause}</td>
      <td>
        <button type="button" class="quiet" onClick={() => compareWith(app, shape)}>
          {w.compare}
        </button>
      </td>
    </tr>
  );
}

function Table({ app, info }: { app: App; info: LayoutInfo }): JSX.Element | null {
  const advice = useAnswer(info.subject, () =>
    app.engines.typing.call("layoutAdvice", [info.subject]),
  ).value;
  const w = layoutWords.advice;
  if (!advice?.ok) return null;
  if (advice.candidates.length === 0) return <p class="muted">{w.none}</p>;
  return (
    <>
      {advice.tpu && <p>{advice.tpu.rule}</p>}
      <ScrollTable class="advice-scroll" label={w.title} columns={[...w.columns, ""]}>
        {advice.candidates.slice(0, MOST_SHOWN).map((candidate) => (
          <Row key={`${candidate.shape} ${candidate.note}`} app={app} candidate={candidate} />
        ))}
      </ScrollTable>
    </>
  );
}

export function Advice(props: { app: App; info: LayoutInfo }): JSX.Element {
  const open = useSignal(false);
  return (
    <details
      class="advice ranked"
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>{layoutWords.advice.title}</summary>
      {open.value && <Table {...props} />}
    </details>
  );
}
