/** What went wrong, each fault with its line and as a way to its place in the program. */
import type { ComponentChildren, JSX } from "preact";
import type { Diagnostic } from "../../../wasm/engine_api";
import { notify } from "../app/actions";
import type { App, Fix } from "../app/app";
import { words } from "../strings";
import { faultWords } from "./words";

const MOST_SHOWN = 200;
/** Of one fault: a log of many programs offers each. */
const MOST_FIXES = 8;

/** Numbers of the lines (from 1) in which offsets of a text are. */
export function linesAt(text: string, offsets: readonly number[]): number[] {
  const order = offsets.map((_, i) => i).sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  const lines = new Array<number>(offsets.length);
  let line = 1;
  let next = text.indexOf("\n");
  for (const i of order) {
    while (next >= 0 && next < (offsets[i] ?? 0)) {
      line++;
      next = text.indexOf("\n", next + 1);
    }
    lines[i] = line;
  }
  return lines;
}

/** A fault of the whole program, or of another one, has an empty range at the beginning. */
const isSomewhere = ({ range }: Diagnostic): boolean => range[1] > 0;

/** Faults of one cause: the same words about other names and numbers. */
export interface FaultGroup {
  fault: Diagnostic;
  line: number;
  /** The others. */
  more: { fault: Diagnostic; line: number }[];
}

/** What a message says, whatever it says it of. */
function causeOf({ code, message }: Diagnostic): string {
  const said = message.replace(/\([^()]*\)/g, "").split(" ");
  return [code, ...said.filter((word) => !/\d/.test(word))].join(" ");
}

/** Faults in order, those of one cause together: errors first. */
export function groupFaults(text: string, faults: readonly Diagnostic[]): FaultGroup[] {
  const bad = faults.filter(({ severity }) => severity === "error");
  const all = [...bad, ...faults.filter(({ severity }) => severity !== "error")];
  const lines = linesAt(
    text,
    all.map(({ range }) => range[0]),
  );
  const groups = new Map<string, FaultGroup>();
  all.forEach((fault, i) => {
    const line = lines[i] ?? 1;
    const group = groups.get(causeOf(fault));
    if (group) group.more.push({ fault, line });
    else groups.set(causeOf(fault), { fault, line, more: [] });
  });
  return [...groups.values()];
}

export function FaultList(props: {
  app: App;
  /** The text that the faults are of. */
  text: string;
  title?: string;
  faults: readonly Diagnostic[];
  /** They follow what is typed: they are not read aloud as they come. */
  isQuiet?: boolean;
  /** What can be done about them. */
  children?: ComponentChildren;
  /** Before the editor goes to a place. */
  onGo?(): void;
}): JSX.Element {
  const { app, text } = props;
  const groups = groupFaults(text, props.faults);
  const isCurrent = text === app.state.text.value;
  const apply = (fix: Fix): void => {
    props.onGo?.();
    const done = app.editor?.fix(fix);
    if (done != null) notify(app, words.editor.fixed(done));
    app.editor?.focus();
  };
  const go = ({ range }: Pick<Diagnostic, "range">): void => {
    props.onGo?.();
    app.editor?.goTo(range, true);
  };
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a group takes a label
    <div
      class="run-faults"
      role={props.isQuiet ? "group" : "alert"}
      aria-label={props.isQuiet ? props.title : undefined}
      tabIndex={0}
    >
      {props.title && <strong>{props.title}</strong>}
      <ul>
        {groups.slice(0, MOST_SHOWN).map(({ fault, line, more }, i) => (
          <li key={i} class={fault.severity}>
            <button type="button" onClick={() => go(fault)}>
              {isSomewhere(fault) && <span class="fault-line">{faultWords.line(line)} </span>}
              {fault.message}
            </button>
            {more.length > 0 && (
              <span class="fault-more">
                {faultWords.more(more.length)}
                {more.slice(0, MOST_SHOWN).map((other, j) => (
                  <button
                    key={j}
                    type="button"
                    title={other.fault.message}
                    onClick={() => go(other.fault)}
                  >
                    {other.line}
                  </button>
                ))}
              </span>
            )}
            {isCurrent &&
              fault.fixes.slice(0, MOST_FIXES).map((fix) => (
                <button
                  key={fix.title}
                  type="button"
                  class="fault-fix"
                  aria-label={faultWords.fix(fix.title)}
                  onClick={() => apply(fix)}
                >
                  {fix.title}
                </button>
              ))}
            {fault.notes
              .filter(({ range: [begin, end] }) => begin < end)
              .map((note, j) => (
                <button key={j} type="button" class="fault-note" onClick={() => go(note)}>
                  {note.message}
                </button>
              ))}
          </li>
        ))}
        {groups.length > MOST_SHOWN && (
          <li>{words.count(groups.length - MOST_SHOWN, "more fault", "more faults")}</li>
        )}
      </ul>
      {props.children}
    </div>
  );
}
