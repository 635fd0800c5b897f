/** The address of the selected element, step by step, with its numbers. */
import type { JSX } from "preact";
import { words } from "../../strings";
import { integer } from "../../ui/format";
import { paddingValue } from "./model";
import type { LayoutSession } from "./session";
import { layoutWords } from "./words";

interface Step {
  title: string;
  lines: string[];
}

/** The last step is the whole formula with its numbers: it comes first, then how one gets there. */
function Steps({ steps }: { steps: readonly Step[] }): JSX.Element {
  const whole = steps[steps.length - 1];
  return (
    <ol>
      {[...(whole ? [{ ...whole, title: "" }] : []), ...steps.slice(0, -1)].map((step, i) => (
        <li key={i}>
          {step.title && <span class="step-title">{step.title}</span>}
          {step.lines.map((line, j) => (
            <code key={j}>{line}</code>
          ))}
        </li>
      ))}
    </ol>
  );
}

export function Formula({ session }: { session: LayoutSession }): JSX.Element {
  const spot = session.picked.value;
  const address = session.address.value;
  const info = session.info.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="card formula" tabIndex={0} aria-label={layoutWords.formula}>
      <h2>{layoutWords.formula}</h2>
      {!spot?.index && (
        <p class="muted">
          {spot
            ? `${words.grid.offset(integer(spot.offset))}: ${words.grid.paddingOf(info && paddingValue(info))}`
            : layoutWords.formulaEmpty}
        </p>
      )}
      {spot?.index && address?.ok && (
        <>
          <p class="formula-head">
            <span class="mono">({spot.index.join(", ")})</span>
            <span class="arrow">→</span>
            <span>{words.grid.offset(integer(address.offset))}</span>
            <span class="arrow">→</span>
            <span>
              {layoutWords.atByte(integer(address.byteOffset))}
              {address.bitInByte > 0 && `, bit ${address.bitInByte}`}
            </span>
          </p>
          <Steps steps={address.steps} />
        </>
      )}
    </section>
  );
}
