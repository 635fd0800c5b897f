/** What the results should be: texts, and `.npy` files that are chosen or dropped. */
import type { JSX } from "preact";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { bytes } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { type Expected, NO_EXPECTED, precisionSession } from "./session";
import { precisionWords as w } from "./words";

const MOST_BYTES = 512 * 2 ** 20;

interface RowProps {
  app: App;
  /** The row of the list. */
  at: number;
}

function change(app: App, at: number, part: Partial<Expected>): void {
  const { expected } = precisionSession(app);
  expected.value = expected.peek().map((each, i) => (i === at ? { ...each, ...part } : each));
}

/** Expects what a file holds. */
function takeFile(app: App, at: number, file: File | undefined): void {
  if (!file) return;
  if (file.size > MOST_BYTES) {
    notify(app, words.app.fileTooLarge, "error");
    return;
  }
  file.arrayBuffer().then(
    (content) => change(app, at, { file: { name: file.name, bytes: new Uint8Array(content) } }),
    (error: Error) => notify(app, error.message, "error"),
  );
}

const rowAt = ({ app, at }: RowProps): Expected =>
  precisionSession(app).expected.value[at] ?? NO_EXPECTED;

/** Which element of a tuple the row is about. */
function ElementField(props: RowProps): JSX.Element {
  return (
    <label class="precision-element">
      <span>{w.elementOf}</span>
      <input
        type="text"
        inputMode="numeric"
        value={rowAt(props).element}
        placeholder={w.wholeResult}
        onInput={(event) => change(props.app, props.at, { element: event.currentTarget.value })}
      />
    </label>
  );
}

/** What is expected: the name of a file, or else a field for a literal. */
function ValueField(props: RowProps): JSX.Element {
  const { app, at } = props;
  const { file, text } = rowAt(props);
  if (!file) {
    return (
      <label class="precision-literal">
        <span>{w.expectedValue}</span>
        <input
          type="text"
          spellcheck={false}
          value={text}
          placeholder={w.expectedExample}
          onInput={(event) => change(app, at, { text: event.currentTarget.value })}
        />
      </label>
    );
  }
  return (
    <span class="file-chip">
      <Icon name="file" />
      {file.name} <span class="muted">{bytes(file.bytes.length)}</span>
      <button
        type="button"
        class="quiet icon-only"
        aria-label={w.removeFile(file.name)}
        title={w.removeFile(file.name)}
        onClick={() => change(app, at, { file: null })}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

function FileButton({ app, at }: RowProps): JSX.Element {
  return (
    <label class="file-button" title={w.npyHint}>
      <input
        type="file"
        accept=".npy"
        class="visually-hidden"
        aria-label={w.chooseNpy}
        onChange={(event) => {
          takeFile(app, at, event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <Icon name="file" /> {w.npy}
    </label>
  );
}

function Row(props: RowProps): JSX.Element {
  const { app, at } = props;
  const { expected } = precisionSession(app);
  const isTuple = (app.state.check.value?.result ?? "").startsWith("(");
  return (
    <li
      data-takes-files
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        takeFile(app, at, file);
      }}
    >
      {isTuple && <ElementField {...props} />}
      <ValueField {...props} />
      <FileButton {...props} />
      {expected.value.length > 1 && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            expected.value = expected.peek().filter((_, i) => i !== at);
          }}
        >
          {w.removeExpected}
        </button>
      )}
    </li>
  );
}

export function ExpectedResults({ app }: { app: App }): JSX.Element {
  const { expected } = precisionSession(app);
  const result = app.state.check.value?.result ?? "";
  return (
    <div class="precision-expected">
      {result && (
        <p class="muted">
          {w.resultIs} <span class="mono">{result.replace(/\{[^{}]*\}/g, "")}</span>
        </p>
      )}
      <ul>
        {expected.value.map((_, at) => (
          <Row key={at} app={app} at={at} />
        ))}
      </ul>
      {result.startsWith("(") && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            expected.value = [...expected.peek(), NO_EXPECTED];
          }}
        >
          {w.addExpected}
        </button>
      )}
    </div>
  );
}
