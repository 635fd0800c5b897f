/** Values that are watched: what each is here, and how it goes over the run. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { DebugHistory } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { useAnswer } from "../../ui/answer";
import { Icon } from "../../ui/Icon";
import { debugRun } from "./run";
import { debugSession } from "./session";
import { debugWords } from "./words";

const WIDTH = 240;
const HEIGHT = 44;

/** The points of a line through what is finite; a gap where it is not. */
export function historyPath({ steps, values }: DebugHistory, length: number): string {
  const finite = values.filter((value) => value !== null);
  const least = Math.min(...finite);
  const size = Math.max(...finite) - least || 1;
  let path = "";
  let isOpen = false;
  values.forEach((value, i) => {
    if (value === null) {
      isOpen = false;
      return;
    }
    const x = ((steps[i] ?? 0) / Math.max(1, length)) * WIDTH;
    const y = HEIGHT - 3 - ((value - least) / size) * (HEIGHT - 6);
    path += `${isOpen ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isOpen = true;
  });
  return path;
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

function History(props: {
  watch: string;
  history: DebugHistory;
  length: number;
  position: number;
  onMove(position: number): void;
}): JSX.Element | null {
  const { watch, history, length, position } = props;
  const finite = history.values.filter((value) => value !== null);
  if (finite.length < 2) return null;
  const label = debugWords.history(watch, short(Math.min(...finite)), short(Math.max(...finite)));
  const x = (position / Math.max(1, length)) * WIDTH;
  return (
    <svg
      class="debug-history"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const share = (event.clientX - box.left) / Math.max(1, box.width);
        props.onMove(Math.round(share * length));
      }}
    >
      <title>{label}</title>
      <path d={historyPath(history, length)} />
      <line x1={x} x2={x} y1="0" y2={HEIGHT} />
    </svg>
  );
}

function Watch({ app, watch }: { app: App; watch: string }): JSX.Element {
  const run = debugRun(app);
  const { watches, state, device, recorded } = debugSession(app);
  const { position, length } = state.value ?? { position: 0, length: 0 };
  const followed = device.value;
  const value = useAnswer(`${recorded.value} ${position} ${followed} ${watch}`, () =>
    run
      .ask({ what: "value", watch, position, device: followed })
      .then(({ text }) => ({ text, isFault: false }))
      .catch((error: Error) => ({ text: error.message, isFault: true })),
  ).value;
  const history = useAnswer(`${recorded.value} ${length} ${followed} ${watch}`, () =>
    run.ask({ what: "history", watch, device: followed }),
  ).value;
  return (
    <li>
      <div class="debug-watch">
        <code>{watch}</code>
        <output class={value?.isFault ? "muted" : "mono"}>{value?.text ?? ""}</output>
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
