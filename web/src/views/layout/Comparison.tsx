/** Two layouts of one array beside each other, and what it takes to come from one to the other. */
import type { JSX } from "preact";
import type { LayoutInfo, RelayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { bytes, integer, percent } from "../../ui/format";
import { layoutWords } from "./words";

const LINE_BYTES = 64;
/** Of the memory that a copy is thought to go through: 1 TB/s. */
const BYTES_PER_SECOND = 1e12;

/** "3 ns", "1.2 ms" */
export function duration(seconds: number): string {
  const units: [number, string][] = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
  ];
  const [unit, name] = units.find(([least]) => seconds >= least) ?? [1e-9, "ns"];
  const n = seconds / unit;
  return `${n < 10 ? n.toFixed(1) : Math.round(n).toLocaleString("en-US")} ${name}`;
}

/** A number of a copy that may be an estimate. */
const counted = (answer: RelayoutInfo, n: number): string =>
  answer.exact ? integer(n) : layoutWords.relayout.about(integer(n));

/** What a copy costs, in sentences. */
export function costOf(answer: RelayoutInfo): string[] {
  const w = layoutWords.relayout;
  const { bytesRead, bytesWritten, runs, runBytes, elements } = answer;
  if (answer.bitcast) return [];
  const said = [w.copies(bytes(bytesRead), bytes(bytesWritten))];
  if (runs === 1) said.push(w.onePiece);
  else if (runs >= elements) said.push(w.oneByOne(integer(elements)));
  else if (runs > 0) said.push(w.pieces(counted(answer, runs), bytes(runBytes)));
  if (runs > 1 && runBytes < LINE_BYTES) said.push(w.shortPieces);
  const moved = (answer.linesRead + answer.linesWritten) * LINE_BYTES;
  said.push(w.time(duration(moved / BYTES_PER_SECOND)));
  return said;
}

function paddingOf({ logicalBytes, physicalBytes }: LayoutInfo): string {
  const padding = physicalBytes - logicalBytes;
  if (padding <= 0) return layoutWords.relayout.noPadding;
  return `${bytes(padding)} (${percent(padding / physicalBytes)})`;
}

export function Comparison(props: { app: App; from: LayoutInfo; to: LayoutInfo }): JSX.Element {
  const { app, from, to } = props;
  const key = `${from.subject}|${to.subject}`;
  const answer = useAnswer(key, () =>
    app.engines.typing.call("relayout", [from.subject, to.subject]),
  ).value;
  const difference = useAnswer(key, () =>
    app.engines.typing.call("compareLayouts", [from.subject, to.subject]),
  ).value;
  const w = layoutWords.relayout;
  const rows: [string, string, string][] = [
    [w.layout, from.subject, to.subject],
    [w.memory, bytes(from.physicalBytes), bytes(to.physicalBytes)],
    [w.padding, paddingOf(from), paddingOf(to)],
    [w.causes, from.causes.join("; "), to.causes.join("; ")],
    [layoutWords.dims, from.physicalDims.join(" × "), to.physicalDims.join(" × ")],
    [layoutWords.offsetFormula, from.formula, to.formula],
    [
      w.lines,
      answer?.ok ? counted(answer, answer.linesRead) : "",
      answer?.ok ? counted(answer, answer.linesWritten) : "",
    ],
  ];
  return (
    <section class="card relayout" aria-label={w.title}>
      <h2>
        {w.title} {answer?.ok && answer.bitcast && <span class="badge good">{w.bitcast}</span>}
      </h2>
      {answer && <p>{answer.ok ? answer.reason : answer.problem}</p>}
      {answer?.ok && !answer.bitcast && <p>{costOf(answer).join(" ")}</p>}
      {difference?.comparable && !answer?.bitcast && <p class="muted">{difference.text}</p>}
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{layoutWords.before}</th>
            <th scope="col">{layoutWords.after}</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(([, a, b]) => a || b)
            .map(([name, ...values]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, i) => (
                  <td key={i} class="mono">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
