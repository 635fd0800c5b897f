/** What the marks on the page mean, wherever they are shown, and how to be rid of them. */
import type { JSX } from "preact";
import type { App } from "../app/app";
import { currentMarks, mark } from "./marks";
import { whyWords } from "./words";
import "./marks.css";

export function MarksLine({ app }: { app: App }): JSX.Element | null {
  const marks = currentMarks(app);
  if (!marks) return null;
  return (
    <p class="why-marks">
      <span class="why-swatch" aria-hidden="true" />
      <span>{whyWords.marked(marks.title)}</span>
      <button type="button" class="quiet" onClick={() => mark(app, null)}>
        {whyWords.unmark}
      </button>
    </p>
  );
}
