/** What it takes to bring the array from the one layout into the other. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { Facts } from "../../ui/Facts";
import { bytes, integer } from "../../ui/format";
import { layoutWords } from "./words";

export function Relayout(props: { app: App; from: LayoutInfo; to: LayoutInfo }): JSX.Element {
  const { app, from, to } = props;
  const answer = useAnswer(`${from.subject}|${to.subject}`, () =>
    app.engines.typing.call("relayout", [from.subject, to.subject]),
  ).value;
  const comparison = useAnswer(`${from.subject}|${to.subject}`, () =>
    app.engines.typing.call("compareLayouts", [from.subject, to.subject]),
  ).value;
  const w = layoutWords.relayout;
  const facts: [string, string][] = answer?.ok
    ? [
        [w.elements, integer(answer.elements)],
        [w.read, bytes(answer.bytesRead)],
        [w.written, bytes(answer.bytesWritten)],
        [w.buffers, `${bytes(answer.fromBytes)} → ${bytes(answer.toBytes)}`],
        [w.runs, w.runsOf(integer(answer.runs), bytes(answer.runBytes))],
        [w.lines, `${integer(answer.linesRead)} → ${integer(answer.linesWritten)}`],
      ]
    : [];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="card relayout" tabIndex={0} aria-label={w.title}>
      <h2>
        {w.title} {answer?.ok && answer.bitcast && <span class="badge good">{w.bitcast}</span>}
      </h2>
      {answer && <p>{answer.ok ? answer.reason : answer.problem}</p>}
      {comparison?.comparable && !answer?.bitcast && <p class="muted">{comparison.text}</p>}
      <Facts class="fact-list" facts={facts} />
    </section>
  );
}
