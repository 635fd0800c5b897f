/**
 * What a program costs by the engine's model: totals, a roofline, a table of instructions, details
 * of the selected one with its formula, and what could be saved. The selection is the page's focus.
 */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type {
  CostOptions,
  CostResult,
  CostRow,
  CostSaving,
  MachineInfo,
} from "../../../../wasm/engine_api";
import { goTo, isInFocus, selectInstruction } from "../../app/actions";
import type { App } from "../../app/app";
import { isProgramKind } from "../../app/state";
import { NoAnswerYet } from "../../page/NoAnswerYet";
import { words } from "../../strings";
import { programKey, useAnswer } from "../../ui/answer";
import { Facts } from "../../ui/Facts";
import { integer } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { CostTable } from "./CostTable";
import "./cost.css";
import { duration, scaled, withUnit } from "../../ui/scaled";
import { MachineChooser } from "./MachineChooser";
import { Roofline } from "./Roofline";
import { costSession, HERE, machineOption, printMachine, printSorting } from "./session";
import { costWords } from "./words";

/** How many instructions the roofline shows. */
const POINTS = 200;
const SAVINGS = 50;

function select(app: App, row: Pick<CostRow, "name" | "computation" | "range">): void {
  selectInstruction(app, { name: row.name, computation: row.computation });
  app.editor?.goTo(row.range, false);
}

function Totals({ result }: { result: CostResult }): JSX.Element {
  const { total } = result;
  const w = costWords.totals;
  const facts: [string, string][] = [
    [w.flops, scaled(total.flops)],
    [w.transcendentals, scaled(total.transcendentals)],
    [w.read, withUnit(total.read, "B")],
    [w.written, withUnit(total.written, "B")],
    [w.padding, withUnit(total.padding, "B")],
    [w.intensity, String(Number(total.intensity.toPrecision(3)))],
  ];
  return (
    <>
      <p class="cost-head">
        <strong>{duration(total.seconds)}</strong> <span class="muted">{w.time}</span>
      </p>
      <Facts class="facts" facts={facts} />
      {total.unknownCalls > 0 && <p class="muted">{costWords.unknownCalls(total.unknownCalls)}</p>}
      {total.unknownLoops > 0 && <p class="muted">{costWords.unknownLoops(total.unknownLoops)}</p>}
    </>
  );
}

function Details({ focus }: { focus: NonNullable<CostResult["focus"]> }): JSX.Element {
  const w = costWords;
  const { row } = focus;
  const facts: [string, string][] = [
    [w.columns.time, duration(row.seconds)],
    [w.columns.flops, integer(row.flops)],
    [w.columns.transcendentals, integer(row.transcendentals)],
    [w.columns.read, withUnit(row.read, "B")],
    [w.columns.written, withUnit(row.written, "B")],
    [w.columns.padding, withUnit(row.padding, "B")],
    [w.formula.work, focus.work],
    [w.formula.traffic, focus.traffic],
    [w.formula.source, focus.source],
  ];
  return (
    <section class="cost-details" aria-label={w.once}>
      <h2>
        <span class="mono">{row.shown}</span> <span class="muted">{row.opcode}</span>
      </h2>
      {row.note && <p>{row.note}</p>}
      {focus.index < 0 && <p class="muted">{w.inside}</p>}
      <Facts class="facts" facts={facts} />
    </section>
  );
}

function Savings(props: { app: App; savings: readonly CostSaving[]; count: number }): JSX.Element {
  const w = costWords;
  const { app, savings, count } = props;
  if (savings.length === 0) return <p class="muted">{w.noSavings}</p>;
  return (
    <>
      <h2>{w.saved(count)}</h2>
      <ScrollTable
        class="advice advice-scroll cost-savings"
        label={w.saved(count)}
        columns={["Saves", "Instruction", "How"]}
        count={count}
      >
        {savings.map((saving) => (
          <tr key={`${saving.kind} ${saving.computation} ${saving.name}`}>
            <td class="number">{w.saves(withUnit(saving.bytes, "B"), duration(saving.seconds))}</td>
            <th scope="row">
              <button
                type="button"
                class="quiet mono"
                onClick={() => {
                  select(app, saving);
                  goTo(app, saving.range);
                }}
              >
                {saving.shown}
              </button>
            </th>
            <td>
              <span class="badge">{w.kinds[saving.kind]}</span> {saving.change}{" "}
              <span class="mono muted">{saving.with.shown.join(", ")}</span>
            </td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

interface About {
  text: string;
  answer: CostResult;
}

/** Measures this browser once it is chosen, and keeps what came for the session. */
function useMeasuring(app: App): void {
  const session = costSession(app);
  const isMeasuring = useSignal(false);
  useSignalEffect(() => {
    const choice = session.machine.value;
    if (!("id" in choice) || choice.id !== HERE) return;
    if (session.measured.value || isMeasuring.peek()) return;
    isMeasuring.value = true;
    app.engines.typing
      .call("measureMachine", [])
      .then((machine: MachineInfo) => {
        session.measured.value = machine;
      })
      .catch(() => undefined)
      .finally(() => {
        isMeasuring.value = false;
      });
  });
}

function Program(props: { app: App; about: About; options: CostOptions }): JSX.Element {
  const { app, options } = props;
  const { text, answer } = props.about;
  const { typing } = app.engines;
  const { sorting } = costSession(app);
  const { name, computation } = app.state.focus.value;
  const asked = JSON.stringify([options, printSorting(sorting.value), app.state.openInputs.value]);
  const { by, ascending } = sorting.value;
  const focused = useAnswer(name ? `${asked} ${computation}/${name} ${text}` : "", () =>
    name
      ? typing.call("cost", [
          text,
          { ...options, by, ascending, count: 0, focus: { name, computation } },
        ])
      : null,
  ).value;
  const savings = useAnswer(`${asked} ${text}`, () =>
    typing.call("cost", [text, { ...options, count: 0, savings: SAVINGS }]),
  ).value;
  const focus = name ? (focused?.focus ?? null) : null;
  // The costliest rows are looked for until another instruction is.
  const begun = useRef<string | null>(`${computation}/${name}`);
  if (begun.current !== `${computation}/${name}`) begun.current = null;
  return (
    <>
      <Totals result={answer} />
      <p class="muted assumption">{costWords.assumes}</p>
      <Roofline
        rows={answer.rows}
        machine={answer.machine}
        isSelected={(row) => isInFocus(app.state, row)}
        onSelect={(row) => select(app, row)}
      />
      <h2>{costWords.rows(answer.count)}</h2>
      <CostTable
        about={`${asked} ${text}`}
        count={answer.count}
        sorting={sorting.value}
        selected={focus?.index ?? -1}
        staysAtTop={begun.current !== null}
        ask={async (begin, count) => {
          const window = { ...options, by, ascending, begin, count };
          return (await typing.call("cost", [text, window])).rows;
        }}
        onSort={(next) => {
          sorting.value = next;
        }}
        onSelect={(row) => select(app, row)}
        onOpen={(row) => goTo(app, row.range)}
      />
      {focus && <Details focus={focus} />}
      {savings && <Savings app={app} savings={savings.savings} count={savings.savingCount} />}
    </>
  );
}

export function CostView({ app }: { app: App }): JSX.Element {
  const session = costSession(app);
  useMeasuring(app);
  const kind = useComputed(() => app.state.check.value?.kind ?? "").value;
  const text = app.state.text.value;
  const isProgram = isProgramKind(kind);
  const machine = machineOption(session);
  // Until this browser is measured, the figures of the usual machine stand there, and are named.
  const options: CostOptions = machine === null ? {} : { machine };
  const key = `${printMachine(session.machine.value)} ${machine === null} ${programKey(app)}`;
  const about = useAnswer<About>(isProgram ? key : "", () => {
    if (!isProgram) return null;
    const asked = app.engines.typing.call("cost", [
      text,
      { ...options, by: "time", count: POINTS },
    ]);
    return asked.then((answer) => ({ text, answer }));
  }).value;
  if (!isProgram || !about?.answer.ok) {
    return (
      <NoAnswerYet
        app={app}
        sentence={words.cost.empty}
        isRefused={about != null && about.text === text}
      />
    );
  }
  return (
    <div class="column-view cost-view">
      <MachineChooser app={app} machines={about.answer.machines} machine={about.answer.machine} />
      {machine === null && <p>{costWords.measuring}</p>}
      <Program app={app} about={about} options={options} />
    </div>
  );
}
