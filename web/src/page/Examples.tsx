/** The examples, with pictures: fetched when somebody asks for them. */
import type { JSX } from "preact";
import type { App } from "../app/app";
import { openExample } from "../app/opening";
import { findExample } from "../examples";
import { groups } from "../examples/groups";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";
import "./examples.css";

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

export function Examples({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  return (
    <Dialog label={words.examples.title} class="choices examples" heading onClose={onClose}>
      {groups.map(({ title, sentence, pictures }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <p>{sentence}</p>
          <ul>
            {Object.entries(pictures).map(([id, rows]) => {
              const example = findExample(id);
              return (
                example && (
                  <li key={id}>
                    <button
                      type="button"
                      onClick={() => {
                        onClose();
                        void openExample(app, id);
                      }}
                    >
                      <Picture rows={rows} />
                      <b>{example.title}</b>
                      <span>{example.sentence}</span>
                    </button>
                  </li>
                )
              );
            })}
          </ul>
        </section>
      ))}
    </Dialog>
  );
}
