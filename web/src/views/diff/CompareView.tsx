/** The program in the editor beside another one. */
import type { JSX } from "preact";
import type { App } from "../../app/app";
import { adoptText } from "../../app/editing";
import { words } from "../../strings";
import { Empty } from "../../ui/Empty";
import { Icon } from "../../ui/Icon";
import { Comparison } from "./Comparison";
import { chooseOther } from "./choosing";
import { Passes } from "./Passes";
import { compareSession, SUBJECTS } from "./session";
import { compareWords } from "./words";
import "./compare.css";

const nothing = (): void => undefined;

/** What the program is compared with, and how to choose another. */
function Source({ app }: { app: App }): JSX.Element {
  const { before, compareWith } = compareSession(app);
  const w = compareWords;
  const text = app.state.text.value;
  const other = before.value;
  const swap = (): void => {
    if (!other) return;
    compareWith({ name: words.compare.earlier, text });
    adoptText(app, other.text);
  };
  return (
    <div class="detail-tools">
      <Subjects app={app} />
      <span>
        <span class="muted">{w.before}</span> <strong>{other?.name ?? "–"}</strong>{" "}
        <span class="muted">
          → {w.after}: {w.afterName}
        </span>
      </span>
      <span class="spring" />
      <button type="button" class="quiet" onClick={() => chooseOther(app, nothing)}>
        <Icon name="file" />
        <span>{w.choose}</span>
      </button>
      <button
        type="button"
        class="quiet"
        onClick={() => compareWith({ name: words.compare.earlier, text })}
      >
        <Icon name="pin" />
        <span>{w.rememberHere}</span>
      </button>
      {other && (
        <>
          <button type="button" class="quiet" title={w.swapHint} onClick={swap}>
            <Icon name="swap" />
            <span>{w.swap}</span>
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={w.remove}
            title={w.remove}
            onClick={() => compareWith(null)}
          >
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  );
}

/** What the program is compared with: another one, or itself after passes. */
function Subjects({ app }: { app: App }): JSX.Element {
  const { subject } = compareSession(app);
  return (
    <fieldset class="segments" aria-label={compareWords.subject}>
      {SUBJECTS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={subject.value === each}
          onClick={() => {
            subject.value = each;
          }}
        >
          {compareWords.subjects[each]}
        </button>
      ))}
    </fieldset>
  );
}

export function CompareView({ app }: { app: App }): JSX.Element {
  const { before, subject } = compareSession(app);
  const other = before.value;
  const text = app.state.text.value;
  if (subject.value === "passes") {
    return (
      <div class="compare-view">
        <div class="detail-tools">
          <Subjects app={app} />
        </div>
        <Passes app={app} />
      </div>
    );
  }
  return (
    <div class="compare-view">
      <Source app={app} />
      {other ? (
        <Comparison
          app={app}
          pair={{
            before: other,
            after: { name: compareWords.afterName, text },
            isProgram: true,
          }}
        />
      ) : (
        <Empty
          sentence={words.compare.empty}
          action={words.compare.remember}
          onAction={() => compareSession(app).compareWith({ name: words.compare.earlier, text })}
        />
      )}
    </div>
  );
}
