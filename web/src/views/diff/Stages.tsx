/** What became of the program from each open file of a dump to the next, one row for each. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ModuleDiff } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { type Pair, readOpenFile, shownFile, showOpenFile } from "../../app/open_files";
import { shortened, type TitlePart } from "../../app/stages";
import { StageTitle } from "../../page/StageTitle";
import { bytes, integer } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { Count } from "./Count";
import { compareSession } from "./session";
import { compareWords } from "./words";

/** A stage that was compared with the one before it. */
interface Stage {
  before: string;
  after: string;
  /** Null: one of the files could not be read, for the reason in `problem`. */
  diff: ModuleDiff | null;
  problem: string;
}

/** `known`: what was found for these files before; it holds while their texts are the same. */
async function stageOf(app: App, pair: Pair, known: Stage | undefined): Promise<Stage> {
  try {
    const before = await readOpenFile(app, pair.before.name);
    const after = await readOpenFile(app, pair.after.name);
    if (known?.before === before && known.after === after) return known;
    const options = { begin: 0, count: 0, linesToo: false };
    const diff = await app.engines.typing.call("diff", [after, before, options]);
    return { before, after, diff, problem: "" };
  } catch (error) {
    return { before: "", after: "", diff: null, problem: (error as Error).message };
  }
}

/** The stages that have been compared so far, by the names of their files. */
function useStages(app: App, pairs: readonly Pair[]): ReadonlyMap<string, Stage> {
  const stages = useSignal<ReadonlyMap<string, Stage>>(new Map());
  const text = app.state.text.value;
  const names = pairs.map(({ before, after }) => `${before.name}\n${after.name}`).join("\n");
  useEffect(() => {
    let isCurrent = true;
    const compareAll = async (): Promise<void> => {
      for (const pair of pairs) {
        const known = stages.peek().get(pair.after.name);
        const stage = await stageOf(app, pair, known);
        if (!isCurrent) return;
        if (stage !== known) stages.value = new Map(stages.peek()).set(pair.after.name, stage);
      }
    };
    void compareAll();
    return () => {
      isCurrent = false;
    };
  }, [names, text]);
  return stages.value;
}

/** What changed, in words. */
function Changes({ stage }: { stage: Stage | undefined }): JSX.Element {
  const w = compareWords.stages;
  if (!stage) return <span class="muted">{w.coming}</span>;
  const { diff, problem } = stage;
  if (!diff) return <>{problem}</>;
  if (!diff.ok) return <>{w.faulty}</>;
  const kinds = diff.kinds.filter(({ count }) => count > 0);
  if (kinds.length === 0) {
    return <span class="muted">{diff.header.length > 0 ? w.headerOnly : w.same}</span>;
  }
  return (
    <>
      {kinds.map(({ kind, doc, count }) => (
        <span key={kind} class={`kind kind-${kind}`} title={doc}>
          {kind} <span class="count">{integer(count)}</span>
        </span>
      ))}
    </>
  );
}

function Row(props: {
  app: App;
  pair: Pair;
  title: readonly TitlePart[];
  stage: Stage | undefined;
}): JSX.Element {
  const { app, pair, title, stage } = props;
  const { before, after } = pair;
  const isShown = shownFile(app.state.fileTabs.value)?.name === after.name;
  const diff = stage?.diff?.ok ? stage.diff : null;
  const none = <td class="number muted">–</td>;
  const show = (): void => {
    const { compareWith, subject } = compareSession(app);
    compareWith(null);
    subject.value = "program";
    showOpenFile(app, after.name);
  };
  return (
    <tr class={isShown ? "is-shown" : ""}>
      <th scope="row">
        <button
          type="button"
          class="quiet"
          title={compareWords.stages.show(before.title, after.title)}
          onClick={show}
        >
          <span>
            <StageTitle parts={title} />
          </span>
        </button>
      </th>
      <td class="stage-changes">
        <Changes stage={stage} />
      </td>
      {diff ? (
        <>
          <Count was={diff.before.instructions} now={diff.after.instructions} print={integer} />
          <Count was={diff.before.fusions} now={diff.after.fusions} print={integer} />
          <Count was={diff.before.peakBytes} now={diff.after.peakBytes} print={bytes} />
        </>
      ) : (
        <>
          {none}
          {none}
          {none}
        </>
      )}
    </tr>
  );
}

export function Stages({ app, pairs }: { app: App; pairs: readonly Pair[] }): JSX.Element {
  const stages = useStages(app, pairs);
  const w = compareWords.stages;
  const titles = shortened(pairs.map(({ after }) => after.title));
  return (
    <ScrollTable class="compare-passes compare-stages" label={w.title} columns={w.columns}>
      {pairs.map((pair, at) => (
        <Row
          key={pair.after.name}
          app={app}
          pair={pair}
          title={titles[at] ?? []}
          stage={stages.get(pair.after.name)}
        />
      ))}
    </ScrollTable>
  );
}
