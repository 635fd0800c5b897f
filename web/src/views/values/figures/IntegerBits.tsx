/** An integer in two's complement: its bits, its neighbours, other types, and its place in a byte. */
import type { JSX } from "preact";
import { isSigned } from "../../../../../wasm/element_types";
import type { TypedInteger } from "../../../../../wasm/engine_api";
import { type FigureProps, useFigure } from "./asking";
import { TypeTable } from "./TypeTable";
import { figureWords } from "./words";

const w = figureWords.bits;

/** "1010 0110": bits in groups, from the least significant on. */
export function grouped(bits: string): string {
  const head = bits.length % 4;
  const groups = bits.slice(head).match(/.{4}/g) ?? [];
  return [bits.slice(0, head), ...groups].filter(Boolean).join(" ");
}

function Fields({ number }: { number: TypedInteger }): JSX.Element {
  const { bits, type } = number;
  const fields = isSigned(type)
    ? [
        ["sign", w.sign, bits.slice(0, 1)],
        ["mantissa", w.rest, grouped(bits.slice(1)) || w.none],
      ]
    : [["mantissa", w.whole, grouped(bits)]];
  return (
    <dl class="bit-fields">
      {fields.map(([kind, name, text]) => (
        <div key={name} class={`bit-field ${kind}`}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ number }: { number: TypedInteger }): JSX.Element {
  const facts = [
    [w.value, number.value],
    [w.hex, number.hex],
    [isSigned(number.type) ? w.unsigned : w.signed, number.otherwise],
    [w.below, number.below || w.beyond],
    [w.above, number.above || w.beyond],
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

/** Which elements share the byte of one, by their numbers in row-major order, and its lowest bit in it. */
export function neighboursOf(
  index: readonly number[],
  dims: readonly number[],
  bits: number,
): { byte: number; shift: number; elements: number[] } {
  const at = index.reduce((sum, i, d) => sum * (dims[d] ?? 1) + i, 0);
  const count = dims.reduce((product, size) => product * size, 1);
  const per = 8 / bits;
  const byte = Math.floor(at / per);
  const elements = Array.from({ length: per }, (_, i) => byte * per + i).filter((n) => n < count);
  return { byte, shift: (at % per) * bits, elements };
}

/** The index of the n-th element. */
export function indexOf(n: number, dims: readonly number[]): number[] {
  let rest = n;
  return dims
    .toReversed()
    .map((size) => {
      const i = rest % size;
      rest = Math.floor(rest / size);
      return i;
    })
    .toReversed();
}

/** The low bits of a number, in two's complement. */
const bitsOf = (text: string, bits: number): string =>
  BigInt.asUintN(bits, BigInt(text)).toString(2).padStart(bits, "0");

function Packed(props: FigureProps & { index: number[]; bits: number }): JSX.Element | null {
  const { app, value, valueRef, index, bits } = props;
  const { byte, shift, elements } = neighboursOf(index, value.dims, bits);
  const { answer } = useFigure(JSON.stringify([valueRef, byte]), () =>
    Promise.all(
      elements.map(async (n) => {
        const origin = indexOf(n, value.dims);
        const spec = { origin, rowDim: -1, colDim: -1, rows: 1, cols: 1 };
        return (await app.engines.results.call("valueWindow", [valueRef, spec])).text[0] ?? "0";
      }),
    ),
  );
  if (!answer) return null;
  return (
    <>
      <p class="muted">{w.packed(shift, shift + bits - 1, byte)}</p>
      <ol class="packed-byte" aria-label={w.packedLabel(byte)}>
        {Array.from({ length: 8 / bits }, (_, i) => {
          const n = 8 / bits - 1 - i;
          const text = answer[n];
          return (
            <li key={n} class={n * bits === shift ? "own" : ""}>
              <b>{text === undefined ? "0".repeat(bits) : bitsOf(text, bits)}</b>
              <span>
                {text === undefined
                  ? w.none
                  : `(${indexOf(elements[n] ?? 0, value.dims).join(", ")}) = ${text}`}
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

interface IntegerProps extends FigureProps {
  index: number[];
  number: TypedInteger;
  all: readonly TypedInteger[];
}

export function IntegerBits({ number, all, ...props }: IntegerProps): JSX.Element {
  const bits = number.bits.length;
  return (
    <>
      <Fields number={number} />
      <Facts number={number} />
      {bits < 8 && <Packed {...props} bits={bits} />}
      <TypeTable label={w.asIntegers} columns={Object.values(w.integerColumns)}>
        {all.map(({ type, value, exact, bits: code }) => (
          <tr key={type} class={type === number.type ? "own" : ""}>
            <th scope="row">{type}</th>
            <td>{value}</td>
            <td>{exact ? w.exact : w.lowBits}</td>
            <td class="bit-text">{grouped(code)}</td>
          </tr>
        ))}
      </TypeTable>
    </>
  );
}
