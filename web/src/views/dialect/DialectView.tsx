/** What is made of the program, beside the program: corresponding lines are highlighted. */
import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { adoptText } from "../../app/editing";
import { createReader, type Reader } from "../../editor/reader";
import { FaultList } from "../../page/FaultList";
import { NoAnswerYet } from "../../page/NoAnswerYet";
import { words } from "../../strings";
import { Icon } from "../../ui/Icon";
import { type Conversion, KINDS, otherDialect } from "./kinds";
import type { DialectSession } from "./session";
import "./dialect.css";
import { dialectWords } from "./words";

/** Which of the texts is shown. */
function Choice({ app, session }: { app: App; session: DialectSession }): JSX.Element {
  const other = otherDialect(app.state.check.value?.kind);
  return (
    <fieldset class="segments" aria-label={dialectWords.choice}>
      {KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={session.kind.value === kind}
          onClick={() => {
            session.kind.value = kind;
          }}
        >
          {words.dialect.names[kind === "dialect" ? other : kind]}
        </button>
      ))}
    </fieldset>
  );
}

function Refused({ app, refused }: { app: App; refused: Conversion }): JSX.Element {
  const title = dialectWords.refused[refused.to];
  const { source, result } = refused;
  return <FaultList app={app} text={source} title={title} faults={result.diagnostics} />;
}

/** Copies the text that is shown. */
async function copy(app: App, text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  notify(app, words.values.copied);
}

function Text({ session }: { session: DialectSession }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const reader = useRef<Reader | null>(null);
  useEffect(() => {
    if (!host.current) return;
    const made = createReader(
      host.current,
      dialectWords.label[session.kind.peek()],
      session.pointer("other"),
    );
    reader.current = made;
    const stop = [
      session.shown.subscribe((shown) => shown && made.show(shown.result.text, shown.tokens)),
      session.marks.subscribe((marks) =>
        made.mark(marks.other, session.pointed.peek()?.side === "other"),
      ),
    ];
    return () => {
      for (const each of stop) each();
      session.cursor.value = null;
      made.destroy();
    };
  }, []);
  return <div class="editor dialect-text" ref={host} />;
}

/** The program's own editor marks its lines while this view is open. */
function useProgramMarks(app: App, session: DialectSession): void {
  useSignalEffect(() =>
    app.editor?.mark(session.marks.value.program, session.pointed.peek()?.side === "program"),
  );
  useEffect(() => () => app.editor?.mark([]), []);
}

export function DialectView(props: { app: App; session: DialectSession }): JSX.Element {
  const { app, session } = props;
  useProgramMarks(app, session);
  const shown = session.shown.value;
  const refused = session.refused.value;
  const kind = session.kind.value;
  const other = otherDialect(app.state.check.value?.kind);
  const to = refused?.to ?? (kind === "dialect" ? other : kind);
  if (!shown) {
    return (
      <div class="dialect-view">
        <div class="detail-tools">
          <Choice app={app} session={session} />
        </div>
        {refused && <Refused app={app} refused={refused} />}
        <NoAnswerYet
          app={app}
          sentence={refused ? dialectWords.none[to] : words.dialect.empty}
          isRefused={refused !== null}
        />
      </div>
    );
  }
  const stale = refused !== null;
  return (
    <div class={stale ? "dialect-view is-stale" : "dialect-view"}>
      <div class="detail-tools">
        <Choice app={app} session={session} />
        {stale && <span class="badge">{dialectWords.stale}</span>}
        <span class="spring" />
        <button type="button" class="quiet" onClick={() => void copy(app, shown.result.text)}>
          <Icon name="copy" />
          <span>{dialectWords.copy}</span>
        </button>
        {shown.kind === "dialect" && (
          <button type="button" class="quiet" onClick={() => adoptText(app, shown.result.text)}>
            <Icon name="next" />
            <span>{words.commands.adoptDialect}</span>
          </button>
        )}
      </div>
      {refused && <Refused app={app} refused={refused} />}
      <Text key={shown.kind} session={session} />
    </div>
  );
}
