/** Two programs compared: totals, what became of the instructions, and both texts. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type {
  ChangeKind,
  DiffOptions,
  ModuleChange,
  ModuleDiff,
  ModuleTotals,
} from "../../../../wasm/engine_api";
import { goTo } from "../../app/actions";
import type { App } from "../../app/app";
import { FaultList } from "../../page/FaultList";
import { textsKey, useAnswer } from "../../ui/answer";
import { Check } from "../../ui/Check";
import { bytes, integer, percent } from "../../ui/format";
import { VirtualList } from "../../ui/VirtualList";
import { useWindows, WINDOW } from "../../ui/windows";
import { Graphs } from "./Graphs";
import { Memories } from "./Memories";
import { MergedTexts, type Place, type Texts } from "./MergedTexts";
import { type ComparedPair, compareSession, SIDES } from "./session";
import { compareWords } from "./words";

const ROW = 28;
const NO_CHANGES: DiffOptions = { begin: 0, count: 0 };

/** What a program costs by the engine's model. */
interface Cost {
  flops: number;
  traffic: number;
}

interface Compared {
  diff: ModuleDiff;
  texts: Texts;
  cost: { before: Cost; after: Cost } | null;
}

async function costOf(app: App, text: string): Promise<Cost> {
  const { total } = await app.engines.typing.call("cost", [text, { begin: 0, count: 0 }]);
  return { flops: total.flops, traffic: total.read + total.written + total.padding };
}

async function compare(app: App, { before, after }: ComparedPair): Promise<Compared> {
  const { typing } = app.engines;
  const diff = await typing.call("diff", [after.text, before.text, NO_CHANGES]);
  const tokens = (text: string): Promise<Uint32Array> =>
    diff.ok ? typing.call("tokens", [text]) : Promise.resolve(new Uint32Array());
  const texts: Texts = {
    before: { text: before.text, tokens: await tokens(before.text) },
    after: { text: after.text, tokens: await tokens(after.text) },
    lines: diff.lines,
  };
  if (!diff.ok) return { diff, texts, cost: null };
  const cost = { before: await costOf(app, before.text), after: await costOf(app, after.text) };
  return { diff, texts, cost };
}

/** "12 → 9 (−25.0%)" */
function Total(props: { was: number; now: number; print(n: number): string }): JSX.Element {
  const { was, now, print } = props;
  if (was === now) return <>{print(now)}</>;
  const share = was > 0 ? ` (${now > was ? "+" : "−"}${percent(Math.abs(now - was) / was)})` : "";
  return (
    <>
      {print(was)} → <strong>{print(now)}</strong>
      <span class="muted">{share}</span>
    </>
  );
}

const ROWS: readonly [
  keyof ModuleTotals & keyof typeof compareWords.totals,
  (n: number) => string,
][] = [
  ["instructions", integer],
  ["computations", integer],
  ["fusions", integer],
  ["peakBytes", bytes],
  ["temporaryBytes", bytes],
];

function Totals({ diff, cost }: Pick<Compared, "diff" | "cost">): JSX.Element {
  const modelled: [keyof Cost, (n: number) => string][] = [
    ["flops", integer],
    ["traffic", bytes],
  ];
  return (
    <dl class="facts compare-totals">
      {ROWS.map(([key, print]) => (
        <div key={key}>
          <dt>{compareWords.totals[key]}</dt>
          <dd>
            <Total was={diff.before[key]} now={diff.after[key]} print={print} />
          </dd>
        </div>
      ))}
      {cost &&
        modelled.map(([key, print]) => (
          <div key={key}>
            <dt>{compareWords.totals[key]}</dt>
            <dd>
              <Total was={cost.before[key]} now={cost.after[key]} print={print} />
            </dd>
          </div>
        ))}
      {diff.header.length > 0 && (
        <div>
          <dt>{compareWords.header}</dt>
          <dd class="mono" title={diff.header.join("\n")}>
            {diff.header.join("; ")}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Kinds({ app, diff }: { app: App; diff: ModuleDiff }): JSX.Element {
  const { hidden } = compareSession(app);
  const toggle = (kind: ChangeKind): void => {
    const was = hidden.value;
    hidden.value = was.includes(kind) ? was.filter((other) => other !== kind) : [...was, kind];
  };
  return (
    <fieldset class="compare-kinds" aria-label={compareWords.kinds}>
      {diff.kinds
        .filter(({ count }) => count > 0)
        .map(({ kind, doc, count }) => (
          <button
            key={kind}
            type="button"
            class={`kind kind-${kind}`}
            title={doc}
            aria-pressed={!hidden.value.includes(kind)}
            onClick={() => toggle(kind)}
          >
            {kind} <span class="count">{integer(count)}</span>
          </button>
        ))}
      <span class="muted">{compareWords.unchanged(integer(diff.unchanged))}</span>
    </fieldset>
  );
}

function ChangeRow({ change }: { change: ModuleChange }): JSX.Element {
  const { before, after } = change;
  const shown = after ?? before;
  const isRenamed = before && after && before.name !== after.name;
  return (
    <>
      <span class="compare-row-kinds">
        {change.kinds.map((kind) => (
          <span key={kind} class={`kind kind-${kind}`}>
            {kind}
          </span>
        ))}
      </span>
      <span class="cell name" title={shown ? compareWords.place(shown.computation) : ""}>
        {isRenamed ? compareWords.renamed(before.name, after.name) : shown?.name}
      </span>
      <span class="cell compare-what" title={change.what}>
        {change.what || shown?.shape}
      </span>
    </>
  );
}

const placeOf = ({ before, after }: ModuleChange): Place => ({
  before: before?.range[0] ?? null,
  after: after?.range[0] ?? null,
});

function Changes(props: {
  app: App;
  pair: ComparedPair;
  diff: ModuleDiff;
  onSelect(change: ModuleChange): void;
}): JSX.Element {
  const { app, pair, diff } = props;
  const { hidden } = compareSession(app);
  const kinds = diff.kinds
    .filter(({ kind, count }) => count > 0 && !hidden.value.includes(kind))
    .map(({ kind }) => kind);
  const key = `${kinds.join()} ${textsKey(app, pair.before.text, pair.after.text)}`;
  const selected = useSignal(-1);
  const count = useSignal(0);
  const list = useWindows(key, async (begin, size) => {
    const options: DiffOptions = { begin, count: size, kinds, linesToo: false };
    const answer = await app.engines.typing.call("diff", [
      pair.after.text,
      pair.before.text,
      options,
    ]);
    count.value = answer.changeCount;
    return answer.changes;
  });
  const select = (index: number): void => {
    selected.value = index;
    const change = list.items[index];
    if (!change) return;
    props.onSelect(change);
    if (pair.isProgram && change.after) {
      const { range } = change.after;
      app.editor?.goTo([range[0], range[0]], false);
    }
  };
  const more = count.value - list.items.length;
  return (
    <>
      <VirtualList
        id="compare-changes"
        class="compare-changes"
        label={compareWords.changes(count.value)}
        items={list.items}
        rowHeight={ROW}
        selected={selected.value}
        onSelect={select}
        onOpen={(index) => {
          const after = list.items[index]?.after;
          if (pair.isProgram && after) goTo(app, after.range);
        }}
        row={(change) => <ChangeRow change={change} />}
      />
      {more > 0 && (
        <button type="button" class="quiet" onClick={() => list.more(count.value)}>
          {compareWords.more(integer(Math.min(more, WINDOW)))}
        </button>
      )}
    </>
  );
}

function Sides({ app }: { app: App }): JSX.Element {
  const { sides, allLines } = compareSession(app);
  return (
    <div class="detail-tools compare-sides">
      <fieldset class="segments" aria-label={compareWords.show}>
        {SIDES.map((side) => (
          <button
            key={side}
            type="button"
            aria-pressed={sides.value === side}
            onClick={() => {
              sides.value = side;
            }}
          >
            {compareWords.sides[side]}
          </button>
        ))}
      </fieldset>
      {sides.value === "texts" && (
        <Check
          isOn={allLines.value}
          onChange={(isOn) => {
            allLines.value = isOn;
          }}
        >
          {compareWords.allLines}
        </Check>
      )}
    </div>
  );
}

export function Comparison({ app, pair }: { app: App; pair: ComparedPair }): JSX.Element | null {
  const key = textsKey(app, pair.before.text, pair.after.text);
  const compared = useAnswer(key, () => compare(app, pair)).value;
  const place = useSignal<Place | null>(null);
  const selected = useSignal<ModuleChange | null>(null);
  const { sides, allLines } = compareSession(app);
  const texts = useMemo(() => compared?.texts, [compared]);
  if (!compared || !texts) return null;
  const { diff } = compared;
  if (!diff.ok) {
    const faulty = (["before", "after"] as const).filter((side) =>
      diff[`${side}Diagnostics`].some(({ severity }) => severity === "error"),
    );
    return (
      <>
        {faulty.map((side) => (
          <FaultList
            key={side}
            app={app}
            text={pair[side].text}
            title={compareWords.faulty[side]}
            faults={diff[`${side}Diagnostics`]}
          />
        ))}
      </>
    );
  }
  const isSame = diff.kinds.every(({ count }) => count === 0) && diff.header.length === 0;
  return (
    <>
      <Totals diff={diff} cost={compared.cost} />
      {isSame ? (
        <p class="muted compare-same">{compareWords.same}</p>
      ) : (
        <>
          <Kinds app={app} diff={diff} />
          <Changes
            app={app}
            pair={pair}
            diff={diff}
            onSelect={(next) => {
              selected.value = next;
              place.value = placeOf(next);
            }}
          />
        </>
      )}
      <Sides app={app} />
      {sides.value === "memory" && <Memories app={app} pair={pair} />}
      {sides.value === "graphs" && (
        <Graphs app={app} pair={pair} diff={diff} change={selected.value} />
      )}
      {sides.value === "texts" && (
        <MergedTexts texts={texts} all={allLines.value} place={place.value} />
      )}
    </>
  );
}
