/** What the results should be: texts, and `.npy` files that are chosen or dropped. */
import type { JSX } from "preact";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { bytes } from "../../ui/format";
import { Icon } from "../../ui/Icon";
import { type Expected, NO_EXPECTED, precisionSession } from "./session";
import { precisionWords } from "./words";

const MOST_BYTES = 512 * 2 ** 20;

function Row({ app, at }: { app: App; at: number }): JSX.Element {
  const { expected } = precisionSession(app);
  const w = precisionWords;
  const row = expected.value[at] ?? NO_EXPECTED;
  const result = app.state.check.value?.result ?? "";
  const isTuple = result.startsWith("(");
  const set = (change: Partial<Expected>): void => {
    expected.value = expected.peek().map((each, i) => (i === at ? { ...each, ...change } : each));
  };
  const take = (file: File | undefined): void => {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      notify(app, words.app.fileTooLarge, "error");
      return;
    }
    file.arrayBuffer().then(
      (content) => set({ file: { name: file.name, bytes: new Uint8Array(content) } }),
      (error: Error) => notify(app, error.message, "error"),
    );
  };
  return (
    <li
      data-takes-files
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        take(file);
      }}
    >
      {isTuple && (
        <label class="precision-element">
          <span>{w.elementOf}</span>
          <input
            type="text"
            inputMode="numeric"
            value={row.element}
            placeholder={w.wholeResult}
            onInput={(event) => set({ element: event.currentTarget.value })}
          />
        </label>
      )}
      {row.file ? (
        <span class="file-chip">
          <Icon name="file" />
          {row.file.name} <span class="muted">{bytes(row.file.bytes.length)}</span>
          <button
            type="button"
            class="quiet icon-only"
            aria-label={w.removeFile(row.file.name)}
            title={w.removeFile(row.file.name)}
            onClick={() => set({ file: null })}
          >
            <Icon name="close" />
          </button>
        </span>
      ) : (
        <label class="precision-literal">
          <span>{w.expectedValue}</span>
          <input
            type="text"
            spellcheck={false}
            value={row.text}
            placeholder={w.expectedExample}
            onInput={(event) => set({ text: event.currentTarget.value })}
          />
        </label>
      )}
      <label class="file-button" title={w.npyHint}>
        <input
          type="file"
          accept=".npy"
          class="visually-hidden"
          aria-label={w.chooseNpy}
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
        <Icon name="file" /> {w.npy}
      </label>
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
  const w = precisionWords;
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
