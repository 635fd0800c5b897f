/** Which machine the model is of: one that is known, this browser, or typed figures. */
import type { JSX } from "preact";
import type { MachineInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { costSession, FIGURES, HERE, type TypedFigures } from "./session";
import { costWords } from "./words";

const TYPED = "typed";

/** The figures of a machine, to begin typing from. */
function figuresOf(machine: MachineInfo): TypedFigures {
  const tera = (n: number): number => Number((n / 1e12).toPrecision(4));
  return {
    peak64: tera(machine.peak64),
    peak32: tera(machine.peak32),
    peak16: tera(machine.peak16),
    peak8: tera(machine.peak8),
    bandwidth: Number((machine.bandwidth / 1e9).toPrecision(4)),
  };
}

function Figure(props: {
  label: string;
  value: number;
  onChange(value: number): void;
}): JSX.Element {
  return (
    <label>
      <span>{props.label}</span>
      <input
        type="number"
        min={0}
        step="any"
        value={props.value}
        onChange={(event) => {
          const value = event.currentTarget.valueAsNumber;
          if (Number.isFinite(value) && value >= 0) props.onChange(value);
        }}
      />
    </label>
  );
}

export function MachineChooser(props: {
  app: App;
  machines: readonly MachineInfo[];
  machine: MachineInfo;
}): JSX.Element {
  const { machines, machine } = props;
  const { machine: choice } = costSession(props.app);
  const w = costWords;
  const chosen = choice.value;
  const typed = "typed" in chosen ? chosen.typed : null;
  return (
    <div class="cost-machine">
      <label>
        <span>{w.machine}</span>
        <select
          value={"id" in chosen ? chosen.id : TYPED}
          onChange={(event) => {
            const id = event.currentTarget.value;
            choice.value = id === TYPED ? { typed: figuresOf(machine) } : { id };
          }}
        >
          {machines.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={HERE}>{w.here}</option>
          <option value={TYPED}>{w.typed}</option>
        </select>
      </label>
      {typed &&
        FIGURES.map((key) => (
          <Figure
            key={key}
            label={w.figures[key]}
            value={typed[key]}
            onChange={(value) => {
              choice.value = { typed: { ...typed, [key]: value } };
            }}
          />
        ))}
      <span class="muted">
        <b class="badge">{w.from[machine.from]}</b> {machine.source}
      </span>
    </div>
  );
}
