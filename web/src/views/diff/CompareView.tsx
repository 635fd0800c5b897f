/** The program in the editor beside another one. */
import type { JSX } from "preact";
import type { App } from "../../app/app";
import { adoptText } from "../../app/editing";
import { openPrograms, type Pair, pairsAround, pairsOf, showOpenFile } from "../../app/open_files";
import type { OtherProgram } from "../../app/other_program";
import { OpenFileSelect } from "../../page/OpenFileSelect";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Icon, type IconName } from "../../ui/Icon";
import { Comparison } from "./Comparison";
import { chooseOther } from "./choosing";
import { keptName, shownTitle, useOpened } from "./opened";
import { Passes } from "./Passes";
import { Stages } from "./Stages";
import { compareSession, SUBJECTS, type Subject } from "./session";
import { compareWords as w } from "./words";
import "./compare.css";

const nothing = (): void => undefined;

/** Goes on to the two stages before or after these. */
function Step(props: { app: App; to: Pair | null; icon: IconName; label: string }): JSX.Element {
  const { app, to, icon, label } = props;
  return (
    <button
      type="button"
      class="quiet icon-only"
      aria-label={label}
      title={to ? `${label}: ${to.before.title} → ${to.after.title}` : label}
      disabled={!to}
      onClick={() => {
        if (!to) return;
        compareSession(app).compareWith(null);
        showOpenFile(app, to.after.name);
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

interface SourceProps {
  app: App;
  other: OtherProgram | null;
}

/** The two programs; of several open files one is chosen. */
function PairLine({ app, other }: SourceProps): JSX.Element {
  const { compareWith } = compareSession(app);
  const fileTabs = app.state.fileTabs.value;
  const { here, previous, next } = pairsAround(fileTabs);
  const isOneOfSeveral = openPrograms(fileTabs).length > 1;
  const title = shownTitle(app);
  return (
    <>
      <span class="compare-pair">
        <span class="muted">{w.before}:</span>{" "}
        {isOneOfSeveral ? (
          <OpenFileSelect
            app={app}
            label={w.before}
            other={other}
            none={w.noneChosen}
            onChoose={(program, { name }) =>
              compareWith(name === here?.before.name ? null : program)
            }
          />
        ) : (
          <strong>{other?.name ?? "–"}</strong>
        )}{" "}
        <span class="muted">
          → {w.after}: <span title={title}>{title}</span>
        </span>
      </span>
      {isOneOfSeveral && (
        <span class="compare-steps">
          <Step app={app} to={previous} icon="back" label={w.previousPair} />
          <Step app={app} to={next} icon="next" label={w.nextPair} />
        </span>
      )}
    </>
  );
}

/** The program that is compared with is the one in the editor, and the other way round. */
function swap(app: App, other: OtherProgram): void {
  const { compareWith } = compareSession(app);
  const text = app.state.text.value;
  const open = openPrograms(app.state.fileTabs.value).find(({ title }) => title === other.name);
  compareWith({ name: open ? shownTitle(app) : keptName(app), text });
  if (open) showOpenFile(app, open.name);
  else adoptText(app, other.text);
}

/** What the program is compared with, and how to choose another. */
function Source({ app, other }: SourceProps): JSX.Element {
  const { before, compareWith } = compareSession(app);
  const { here } = pairsAround(app.state.fileTabs.value);
  const text = app.state.text.value;
  return (
    <div class="detail-tools">
      <Subjects app={app} />
      <PairLine app={app} other={other} />
      <span class="spring" />
      <button type="button" class="quiet" onClick={() => chooseOther(app, nothing)}>
        <Icon name="file" />
        <span>{w.choose}</span>
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => compareWith({ name: keptName(app), text })}
      >
        <Icon name="pin" />
        <span>{w.rememberHere}</span>
      </button>
      {other && (
        <button type="button" class="quiet" title={w.swapHint} onClick={() => swap(app, other)}>
          <Icon name="swap" />
          <span>{w.swap}</span>
        </button>
      )}
      {before.value && (
        <button
          type="button"
          class="quiet"
          aria-label={here ? w.removeOpen : w.remove}
          title={here ? w.removeOpen : w.remove}
          onClick={() => compareWith(null)}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** What is compared. A link may ask for stages where there are none. */
function subjectOf(app: App, pairs: readonly Pair[]): Subject {
  const { subject } = compareSession(app);
  return subject.value === "stages" && pairs.length === 0 ? "program" : subject.value;
}

function Subjects({ app }: { app: App }): JSX.Element {
  const { subject } = compareSession(app);
  const pairs = pairsOf(app.state.fileTabs.value);
  const shown = subjectOf(app, pairs);
  return (
    <fieldset class="segments" aria-label={w.subject}>
      {SUBJECTS.filter((each) => each !== "stages" || pairs.length > 0).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={shown === each}
          onClick={() => {
            subject.value = each;
          }}
        >
          {w.subjects[each]}
        </button>
      ))}
    </fieldset>
  );
}

/** While there is nothing to compare with. */
function Nothing({ app, problem }: { app: App; problem: string }): JSX.Element {
  const { here, next } = pairsAround(app.state.fileTabs.value);
  if (problem) return <p class="compare-same">{problem}</p>;
  if (here) return <p class="muted compare-same is-coming">{w.reading}</p>;
  if (next) {
    return (
      <Empty
        sentence={w.first}
        action={w.nextPair}
        onAction={() => showOpenFile(app, next.after.name)}
      />
    );
  }
  const text = app.state.text.value;
  return (
    <Empty
      sentence={words.compare.empty}
      action={words.compare.remember}
      onAction={() => compareSession(app).compareWith({ name: keptName(app), text })}
    />
  );
}

export function CompareView({ app }: { app: App }): JSX.Element {
  const { before } = compareSession(app);
  const opened = useOpened(app);
  const other = before.value ?? (opened && !opened.problem ? opened.program : null);
  const text = app.state.text.value;
  const pairs = pairsOf(app.state.fileTabs.value);
  const subject = subjectOf(app, pairs);
  if (subject !== "program") {
    return (
      <div class="compare-view">
        <div class="detail-tools">
          <Subjects app={app} />
        </div>
        {subject === "stages" ? <Stages app={app} pairs={pairs} /> : <Passes app={app} />}
      </div>
    );
  }
  return (
    <div class="compare-view">
      <Source app={app} other={other} />
      {other ? (
        <Comparison
          app={app}
          pair={{
            before: other,
            after: { name: shownTitle(app), text },
            isProgram: true,
          }}
        />
      ) : (
        <Nothing app={app} problem={opened?.problem ?? ""} />
      )}
    </div>
  );
}
