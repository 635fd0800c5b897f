/** Beside an input: what is wrong with how it is written, as it is typed, its table, and its devices. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { InputFault, ParameterInfo } from "../../../wasm/engine_api";
import { judgeInput } from "../app/actions";
import type { App } from "../app/app";
import { isOfInput, runFaultsOf } from "../app/belonging";
import { partsOf } from "../app/device_inputs";
import { DeviceInputs } from "./DeviceInputs";
import { EditTable } from "./EditTable";
import { inputWords as w } from "./words";
import "./inputs.css";

const PAUSE_MS = 150;
/** Around a fault so much of the text is shown. */
const AROUND = 30;

/** The faults of a text that was typed here: what a link or a file brought is the run's to judge. */
export function useFaults(app: App, at: number, spec: string): InputFault[] {
  const faults = useSignal<{ spec: string; list: InputFault[] }>({ spec: "", list: [] });
  const first = useRef(spec);
  const program = app.state.text.value;
  useEffect(() => {
    if (spec === first.current || spec.trim() === "") return;
    first.current = "\0";
    let current = true;
    const timer = setTimeout(() => {
      app.engines.typing.call("inputFaults", [program, at, spec]).then(
        (list) => {
          if (current) faults.value = { spec, list };
        },
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [spec, program, at]);
  return faults.value.spec === spec ? faults.value.list : [];
}

/** What the run refused of an input, wherever its text came from. */
function refusedOf(app: App, at: number, spec: string): InputFault | undefined {
  const fault = runFaultsOf(app.state).find((each) => isOfInput(each, at));
  if (!fault) return;
  // Which input it is, its place says.
  const message = fault.message.slice(fault.message.indexOf("): ") + 3);
  return { message, range: [0, spec.length] };
}

/** What is wrong, and the place in the text. */
function Fault({ fault, spec, id }: { fault: InputFault; spec: string; id: string }): JSX.Element {
  const [begin, end] = fault.range;
  const isPart = (begin > 0 || end < spec.length) && begin < spec.length;
  const from = Math.max(0, begin - AROUND);
  return (
    <p class="input-fault" id={id} role="status">
      <span>
        {begin >= spec.length && begin > 0 ? w.end : isPart ? w.column(begin + 1) : ""}
        {fault.message}
      </span>
      {isPart && (
        <code>
          {from > 0 && "…"}
          {spec.slice(from, begin)}
          <mark>{spec.slice(begin, Math.max(end, begin + 1))}</mark>
          {spec.slice(Math.max(end, begin + 1), end + AROUND)}
        </code>
      )}
    </p>
  );
}

export function InputTools(props: {
  app: App;
  at: number;
  parameter: ParameterInfo;
}): JSX.Element | null {
  const { app, at, parameter } = props;
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const { text, file } = app.state.inputs.value[at] ?? { text: "", file: null };
  const spec = partsOf(text).shared;
  const [typed] = useFaults(app, at, file ? "" : spec);
  const refused = refusedOf(app, at, spec);
  const fault = typed ?? refused;
  const id = `input-fault-${at}`;
  useEffect(() => {
    // The field was there before this was fetched.
    const field = box.current?.parentElement?.querySelector(".input-spec > input");
    if (!field) return;
    field.setAttribute("aria-invalid", String(fault !== undefined));
    if (fault) field.setAttribute("aria-describedby", id);
    else field.removeAttribute("aria-describedby");
  }, [fault?.message]);
  const isFaulty = typed !== undefined;
  useEffect(() => {
    if (!isFaulty) return;
    judgeInput(app, at, true);
    return () => judgeInput(app, at, false);
  }, [isFaulty, at]);
  const isArray = /^[a-z]\w*\[/.test(parameter.shape);
  return (
    <div class="input-tools" ref={box}>
      {isArray && (
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen.value}
          aria-label={w.edit(parameter.name)}
          title={w.edit(parameter.name)}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.2 3v10M9.8 3v10" />
          </svg>
        </button>
      )}
      {fault && <Fault fault={fault} spec={spec} id={id} />}
      {isArray && isOpen.value && <EditTable app={app} at={at} parameter={parameter} />}
      <DeviceInputs app={app} at={at} name={parameter.name} />
    </div>
  );
}
