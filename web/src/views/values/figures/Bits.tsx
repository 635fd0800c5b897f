/** The bits of one element, its neighbours, and the same number in every float type. */
import type { JSX } from "preact";
import { isComplex, isInteger, partType } from "../../../../../wasm/element_types";
import type { NumberTable, TypedNumber } from "../../../../../wasm/engine_api";
import { inBounds } from "../../../ui/axes";
import { significant } from "../../../ui/format";
import { type FigureProps, useFigure } from "./asking";
import { IntegerBits } from "./IntegerBits";
import { Pending } from "./Pending";
import { TypeTable } from "./TypeTable";
import { figureWords } from "./words";

/** A number as the engine reads it, exactly. */
export function numberText(n: number): string {
  if (Number.isNaN(n)) return "nan";
  if (!Number.isFinite(n)) return n < 0 ? "-inf" : "inf";
  return Object.is(n, -0) ? "-0" : String(n);
}

/**
 * The numbers of an element, as the engine reads them. The text of an integer is exact, also where 64 bits are
 * more than a number of JavaScript has; the parts of a complex number have no number but their text.
 */
function textsToAsk(type: string, text: string, number: number | undefined): string[] {
  if (isComplex(type)) {
    const parts = text.replace(/[()\s]/g, "").split(",");
    const isSingle = partType(type).endsWith("32");
    return parts.map((part) => {
      const isWord = /nan|inf/.test(part);
      if (isWord) return part;
      return numberText(isSingle ? Math.fround(Number(part)) : Number(part));
    });
  }
  if (isInteger(type)) return [text];
  return number === undefined ? [] : [numberText(number)];
}

/** A long decimal, shortened; the whole one is its title. */
const brief = (text: string): string => {
  const number = text === "inf" ? Infinity : text === "-inf" ? -Infinity : Number(text);
  return text.length > 14 ? String(Number(number.toPrecision(9))) : text;
};

/** A neighbour of a number; whole where it would look like that number otherwise. */
const neighbour = (text: string, of: string): string =>
  brief(text) === brief(of) ? text : brief(text);

function Parts({ number }: { number: TypedNumber }): JSX.Element {
  const w = figureWords.bits;
  const fields = [
    ["sign", number.sign],
    ["exponent", number.exponent],
    ["mantissa", number.mantissa],
  ] as const;
  return (
    <dl class="bit-fields">
      {fields.map(([name, bits]) => (
        <div key={name} class={`bit-field ${name}`}>
          <dt>{w[name]}</dt>
          <dd>{bits || w.none}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ number }: { number: TypedNumber }): JSX.Element {
  const w = figureWords.bits;
  const facts = [
    [w.exactly, number.value],
    [w.hex, number.hex],
    [w.kind, number.kind],
    [w.below, number.below],
    [w.above, number.above],
  ];
  return (
    <dl class="bit-facts">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Types({ numbers, own }: { numbers: NumberTable; own: string }): JSX.Element {
  const w = figureWords.bits;
  return (
    <TypeTable label={w.label} columns={Object.values(w.columns)}>
      {numbers.types.map((number) => (
        <tr key={number.type} class={number.type === own ? "own" : ""}>
          <th scope="row">{number.type}</th>
          <td title={number.value}>{brief(number.value)}</td>
          <td>
            {number.relativeError === "0" || number.relativeError === "0.0"
              ? w.exact
              : significant(Number(number.relativeError))}
          </td>
          <td>{neighbour(number.below, number.value)}</td>
          <td>{neighbour(number.above, number.value)}</td>
          <td class="bit-text">
            {[number.sign, number.exponent, number.mantissa].filter(Boolean).join(" ")}
          </td>
        </tr>
      ))}
    </TypeTable>
  );
}

/** The real and the imaginary part, as they are stored. */
function ComplexParts(props: { numbers: readonly NumberTable[]; type: string }): JSX.Element {
  const w = figureWords.bits;
  return (
    <>
      {props.numbers.map(({ types }, i) => {
        const own = types.find(({ type }) => type === props.type);
        return (
          own && (
            <section key={i} aria-label={w.parts[i]}>
              <h3>
                {w.parts[i]} <span class="muted">{props.type}</span>
              </h3>
              <Parts number={own} />
              <Facts number={own} />
            </section>
          )
        );
      })}
    </>
  );
}

export function Bits({ app, value, valueRef }: FigureProps): JSX.Element {
  const w = figureWords.bits;
  const { dims, elementType } = value;
  const focus = app.state.focus.value.index;
  const isChosen = focus !== null && inBounds(focus, dims);
  const index = isChosen ? focus : dims.map(() => 0);
  const { answer, failed } = useFigure(JSON.stringify([valueRef, index]), async () => {
    const spec = { origin: index, rowDim: -1, colDim: -1, rows: 1, cols: 1 };
    const window = await app.engines.results.call("valueWindow", [valueRef, spec]);
    const text = window.text[0] ?? "";
    const asked = textsToAsk(elementType, text, window.numbers[0]);
    const numbers = await Promise.all(
      asked.map((number) => app.engines.results.call("numberParts", [number])),
    );
    return { text, numbers: numbers.flatMap((table) => table ?? []) };
  });
  if (!answer) return <Pending failed={failed} />;
  const [first] = answer.numbers;
  if (!first) return <Pending failed />;
  const own = first.types.find(({ type }) => type === elementType);
  const integer = first.integers.find(({ type }) => type === elementType);
  return (
    <>
      <p>
        <b class="mono">{w.element(index.join(", "), answer.text)}</b>{" "}
        {!isChosen && dims.length > 0 && (
          <span class="muted">
            {w.first} {w.choose}
          </span>
        )}
      </p>
      {own && (
        <>
          <Parts number={own} />
          <Facts number={own} />
        </>
      )}
      {integer && (
        <IntegerBits
          app={app}
          value={value}
          valueRef={valueRef}
          index={index}
          number={integer}
          all={first.integers}
        />
      )}
      {isComplex(elementType) ? (
        <ComplexParts numbers={answer.numbers} type={partType(elementType)} />
      ) : (
        <>
          {!own && (
            <p class="muted">
              {w.notFloat(elementType)} {/^[su]64/.test(elementType) && w.wide}
            </p>
          )}
          <Types numbers={first} own={elementType} />
        </>
      )}
    </>
  );
}
