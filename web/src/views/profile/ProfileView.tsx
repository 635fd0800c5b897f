/** Where the time of the last compiled run went: an icicle, a table, and a file for trace viewers. */
import type { JSX } from "preact";
import type { PlanEntry, ProfileTree, RunPlan } from "../../../../wasm/engine_api";
import { goTo, run } from "../../app/actions";
import type { App } from "../../app/app";
import { saveFile } from "../../app/file_saver";
import { BeforeRun } from "../../page/BeforeRun";
import { words } from "../../strings";
import { useAnswer } from "../../ui/answer";
import { integer, percent } from "../../ui/format";
import { ScrollTable } from "../../ui/ScrollTable";
import { duration } from "../../ui/scaled";
import { Icicle } from "./Icicle";
import "./profile.css";
import { profileSession } from "./session";
import { profileWords } from "./words";

function Step(props: {
  app: App;
  step: PlanEntry;
  share: number;
  selected: boolean;
  onSelect(): void;
}): JSX.Element {
  const { app, step, share } = props;
  const w = profileWords;
  const several = step.instructions.count > 1;
  return (
    <tr class={props.selected ? "selected" : ""}>
      <td class="number">{duration(step.seconds)}</td>
      <td class="number">{percent(share)}</td>
      <td class="number">{integer(step.times)}</td>
      <td class="number">{duration(step.times > 0 ? step.seconds / step.times : 0)}</td>
      <th scope="row">
        <button
          type="button"
          class="quiet mono flush"
          title={step.instructions.shown.join(", ")}
          onClick={() => {
            props.onSelect();
            goTo(app, step.range);
          }}
        >
          {step.shown}
        </button>{" "}
        <span class="muted">{several ? w.instructions(step.instructions.count) : step.opcode}</span>
      </th>
      <td class="mono" title={step.computation}>
        {step.computation}
      </td>
      <td>{w.how[step.how]}</td>
    </tr>
  );
}

function Measured({
  app,
  tree,
  plan,
  threads,
}: {
  app: App;
  tree: ProfileTree;
  plan: RunPlan;
  threads: number | undefined;
}): JSX.Element {
  const w = profileWords;
  const { zoomed } = profileSession(app);
  const selected = zoomed.value < tree.nodes.length ? zoomed.value : 0;
  const node = tree.nodes[selected];
  const steps = tree.nodes
    .map(({ step }, index) => ({ step, index }))
    .filter((each): each is { step: PlanEntry; index: number } => each.step !== null)
    .sort((a, b) => b.step.seconds - a.step.seconds);
  const choose = (index: number): void => {
    zoomed.value = index;
    const range = tree.nodes[index]?.step?.range;
    if (range) app.editor?.goTo(range, false);
  };
  const save = async (): Promise<void> => {
    const text = await app.engines.typing.call("profileTrace", [plan]);
    saveFile(w.fileName, text, "application/json");
  };
  return (
    <div class="column-view profile-view">
      <p class="profile-head">
        <strong>
          {w.head(duration(tree.seconds))}
          {threads && words.status.threads(threads)}
        </strong>{" "}
        <button type="button" title={w.saveHint} onClick={() => void save()}>
          {w.save}
        </button>
      </p>
      <p class="muted">{w.hint}</p>
      {app.state.stale.value && <p class="muted">{w.stale}</p>}
      <Icicle
        nodes={tree.nodes}
        zoomed={node?.level === 2 ? node.parent : selected}
        selected={selected}
        onSelect={choose}
      />
      <ScrollTable class="advice advice-scroll profile-steps" label={w.table} columns={w.columns}>
        {steps.map(({ step, index }) => (
          <Step
            key={index}
            app={app}
            step={step}
            share={tree.seconds > 0 ? step.seconds / tree.seconds : 0}
            selected={index === selected}
            onSelect={() => choose(index)}
          />
        ))}
      </ScrollTable>
    </div>
  );
}

export function ProfileView({ app }: { app: App }): JSX.Element {
  const compiled = app.state.results.value?.compiled ?? null;
  const plan = compiled?.plan ?? null;
  // Another run took another time.
  const tree = useAnswer(compiled && plan ? `${compiled.seconds} ${plan.stepCount}` : "", () =>
    plan ? app.engines.typing.call("profileTree", [plan]) : null,
  ).value;
  if (!plan || !tree) {
    return (
      <BeforeRun
        app={app}
        sentence={words.profile.empty}
        action={words.profile.emptyAction}
        onAction={() => void run(app)}
      />
    );
  }
  return <Measured app={app} tree={tree} plan={plan} threads={compiled?.threads} />;
}
