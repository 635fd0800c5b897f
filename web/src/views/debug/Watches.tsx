/** Values that are watched: what each is here, and how it goes over the run. */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { Icon } from "../../ui/Icon";
import { lazy } from "../../ui/lazy";
import { debugRun } from "./run";
import { debugSession } from "./session";
import { debugWords } from "./words";

const History = lazy(async () => (await import("./History")).History);

interface WatchedValue {
  text: string;
  isFault: boolean;
  /** Where one was when it was asked. */
  position: number;
}

const SHORT = 40;

/** What a value was where one stopped before, if that was another one. */
function Before({ value }: { value: WatchedValue | null }): JSX.Element | null {
  const last = useRef<WatchedValue | null>(null);
  const before = useRef<WatchedValue | null>(null);
  if (value && value !== last.current) {
    before.current = last.current;
    last.current = value;
  }
  const was = before.current;
  if (!value || !was || was.isFault || value.isFault || was.text === value.text) return null;
  const isShort = was.text.length <= SHORT;
  return <span class="debug-was">{isShort ? debugWords.was(was.text) : debugWords.changed}</span>;
}

/** The instruction of a watch: without a statistic and a slice. */
const nameOf = (watch: string): string =>
  watch
    .replace(/\[.*$/, "")
    .trim()
    .replace(/^\w+ +(?=\S)/, "");

function Watch({ app, watch }: { app: App; watch: string }): JSX.Element {
  const run = debugRun(app);
  const { watches, shown, state, device, recorded } = debugSession(app);
  const { position, length } = state.value ?? { position: 0, length: 0 };
  const followed = device.value;
  const value = useAnswer(`${recorded.value} ${position} ${followed} ${watch}`, () =>
    run
      .ask({ what: "value", watch, position, device: followed })
      .then(({ text }): WatchedValue => ({ text, isFault: false, position }))
      .catch((error: Error): WatchedValue => ({ text: error.message, isFault: true, position })),
  ).value;
  const history = useAnswer(`${recorded.value} ${length} ${followed} ${watch}`, () =>
    run.ask({ what: "history", watch, device: followed }),
  ).value;
  return (
    <li>
      <div class="debug-watch">
        <code>{watch}</code>
        <output class={value?.isFault ? "muted" : "mono"}>
          {value?.text ?? ""} <Before value={value} />
        </output>
        <button
          type="button"
          class="quiet"
          aria-label={debugWords.showOf(watch)}
          title={debugWords.showOf(watch)}
          onClick={() => {
            shown.value = nameOf(watch);
          }}
        >
          <Icon name="values" />
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={debugWords.remove(watch)}
          title={debugWords.remove(watch)}
          onClick={() => {
            watches.value = watches.value.filter((other) => other !== watch);
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      {history && (
        <History
          watch={watch}
          history={history}
          length={length}
          position={position}
          dark={app.state.dark.value}
          onMove={(to) => void run.goTo(to)}
        />
      )}
    </li>
  );
}

/** A line to write something into, which a list gets. */
export function Adding(props: {
  label: string;
  hint: string;
  action: string;
  onAdd(text: string): void;
  /** Another box than a plain one. */
  field?(text: Signal<string>): JSX.Element;
}): JSX.Element {
  const text = useSignal("");
  return (
    <form
      class="debug-adding"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim()) props.onAdd(text.value.trim());
        text.value = "";
      }}
    >
      {props.field?.(text) ?? (
        <input
          type="text"
          class="mono"
          aria-label={props.label}
          placeholder={props.hint}
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      )}
      <button type="submit">{props.action}</button>
    </form>
  );
}

export function Watches({ app }: { app: App }): JSX.Element {
  const { watches } = debugSession(app);
  const w = debugWords;
  return (
    <section class="debug-part" aria-label={w.watches}>
      <h3>{w.watches}</h3>
      <ul>
        {watches.value.map((watch) => (
          <Watch key={watch} app={app} watch={watch} />
        ))}
      </ul>
      <Adding
        label={w.watch}
        hint={w.watchHint}
        action={w.add}
        onAdd={(text) => {
          if (!watches.value.includes(text)) watches.value = [...watches.value, text];
        }}
      />
    </section>
  );
}
