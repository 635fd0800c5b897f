/** The examples, with pictures: fetched when somebody asks for them. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { tellFailure } from "../app/actions";
import type { App } from "../app/app";
import { openExample } from "../app/opening";
import type { Example, ExampleGroup } from "../examples";
import { examples } from "../examples/list";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";
import { suggested } from "./suggested";
import "./examples.css";

const groups: Record<ExampleGroup, { title: string; sentence: string }> = {
  begin: {
    title: "Begin here",
    sentence: "A whole program, and a single line of one.",
  },
  layouts: {
    title: "Layouts: where each element lies",
    sentence: "The same array in rows, columns and tiles, step by step.",
  },
  memory: {
    title: "Memory: what it costs",
    sentence: "Padding, packing, and programs that do not fit.",
  },
  operations: {
    title: "Operations: what each computes",
    sentence: "Run them and look at every value on the way.",
  },
  control: {
    title: "Control flow and several devices",
    sentence: "Loops, branches, and programs that talk to one another.",
  },
  stablehlo: {
    title: "StableHLO",
    sentence: "What JAX and other frameworks print, run and shown as HLO beside it.",
  },
};

const CELL = 6;

/** Rows of cells: letters are colours, `/` is padding. */
function Picture({ rows }: { rows: readonly string[] }): JSX.Element {
  const width = Math.max(...rows.map((row) => row.length)) * CELL;
  return (
    <svg class="example-picture" viewBox={`0 0 ${width} ${rows.length * CELL}`} aria-hidden="true">
      {rows.flatMap((row, y) =>
        [...row].map(
          (cell, x) =>
            cell !== " " && (
              <rect
                key={`${x} ${y}`}
                x={x * CELL + 0.5}
                y={y * CELL + 0.5}
                width={CELL - 1}
                height={CELL - 1}
                rx="1"
                class={cell === "/" ? "cell-padding" : `cell-${cell}`}
              />
            ),
        ),
      )}
    </svg>
  );
}

function Entry(props: { app: App; example: Example; onClose(): void }): JSX.Element {
  const { app, example, onClose } = props;
  const button = useRef<HTMLButtonElement>(null);
  // Once the dialog is there, which takes the focus first.
  useEffect(() => {
    const wanted = suggested(app).peek();
    if (wanted === "" || wanted !== example.view) return;
    suggested(app).value = "";
    button.current?.scrollIntoView({ block: "center" });
    button.current?.focus({ preventScroll: true });
  }, []);
  return (
    <li>
      <button
        ref={button}
        type="button"
        onClick={() => {
          onClose();
          tellFailure(app, openExample(app, example.id));
        }}
      >
        <Picture rows={example.picture} />
        <b>{example.title}</b>
        <span>{example.sentence}</span>
      </button>
    </li>
  );
}

export function Examples({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  return (
    <Dialog label={words.examples.title} class="picks example-list" heading onClose={onClose}>
      {Object.entries(groups).map(([id, { title, sentence }]) => (
        <section key={id} aria-label={title}>
          <h3>{title}</h3>
          <p>{sentence}</p>
          <ul>
            {examples
              .filter(({ group }) => group === id)
              .map((example) => (
                <Entry key={example.id} app={app} example={example} onClose={onClose} />
              ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
