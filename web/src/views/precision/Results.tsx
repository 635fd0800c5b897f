/** The arrays of the result: how far each is off, and its worst elements. */
import type { JSX } from "preact";
import type { ArrayError, PrecisionResult, WorstElement } from "../../../../wasm/engine_api";
import { moveFocus, showViewFor } from "../../app/actions";
import type { App } from "../../app/app";
import { integer } from "../../ui/format";
import { errorText, placeText } from "./figures";
import { precisionWords } from "./words";

/** Arrays that are opened at once. */
const MOST_OPEN = 3;

function nameOf({ path, device }: ArrayError, hasDevices: boolean): string {
  const w = precisionWords;
  const part = path.length > 0 ? ` {${path.join(",")}}` : "";
  return `${w.result}${part}${hasDevices ? w.onDevice(device) : ""}`;
}

function Worst(props: { app: App; array: ArrayError; label: string }): JSX.Element {
  const { app, array } = props;
  const w = precisionWords;
  const goTo = ({ index }: WorstElement): void => {
    const { path, device } = array;
    moveFocus(app, {
      ...{ computation: "", name: "", iterations: null, device },
      ...{ source: "output", path, index },
    });
    showViewFor(app, "run");
  };
  return (
    <table class="precision-worst-elements" aria-label={w.worstOf(props.label)}>
      <thead>
        <tr>
          <th scope="col">{w.at}</th>
          <th scope="col">{w.value}</th>
          <th scope="col">{w.expectedColumn}</th>
          <th scope="col">ulp</th>
          <th scope="col">{w.relativeColumn}</th>
        </tr>
      </thead>
      <tbody>
        {array.worst.map((element) => (
          <tr key={element.index.join()}>
            <td>
              <button type="button" class="quiet mono" onClick={() => goTo(element)}>
                {placeText({ path: array.path, index: element.index })}
              </button>
            </td>
            <td>{element.value}</td>
            <td>{element.expected}</td>
            <td>{errorText(element.ulp)}</td>
            <td>{errorText(element.relative)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Arrays without an error are counted; if there are no others, the summary has said so. */
export function Results({
  app,
  answer,
}: {
  app: App;
  answer: PrecisionResult;
}): JSX.Element | null {
  const w = precisionWords;
  const hasDevices = answer.arrays.some(({ device }) => device > 0);
  const differing = answer.arrays.filter(({ error }) => error.differing > 0 || !error.sameShape);
  const exact = answer.arrays.length - differing.length;
  if (differing.length === 0) return null;
  return (
    <section class="precision-results" aria-label={w.results}>
      {differing.map((array, at) => {
        const { error } = array;
        const name = nameOf(array, hasDevices);
        return (
          <details key={name} open={at < MOST_OPEN}>
            <summary>
              <strong>{name}</strong>{" "}
              {error.sameShape
                ? w.arrayError(
                    w.differing(integer(error.differing), integer(error.elements)),
                    errorText(error.ulp),
                    errorText(error.relative),
                  )
                : w.shapeDiffers}
            </summary>
            {array.worst.length > 0 && <Worst app={app} array={array} label={name} />}
          </details>
        );
      })}
      {exact > 0 && <p class="muted">{w.exact(exact, answer.arrays.length)}</p>}
    </section>
  );
}
