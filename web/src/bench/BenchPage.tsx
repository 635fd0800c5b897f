/** The page of the benchmark, at `?bench`: measures this machine, or shows the results that a link holds. */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import { type JSX, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { cases } from "../../bench/cases";
import type { Measured } from "../../bench/measure";
import { darkQuery, showTheme, storedTheme } from "../app/theme";
import { BenchTable } from "./BenchTable";
import { Chart } from "./Chart";
import {
  caseOf,
  describeMachine,
  digits,
  geometricMean,
  markdownOf,
  percent,
  type Results,
  ratioOf,
  readResults,
  rounded,
  shareOf,
  writeResults,
} from "./results";
import { startMeasuring } from "./run";
import { benchWords as w } from "./words";
import "./bench.css";

interface Progress {
  done: number;
  /** The name of the case that is measured; "" before the first. */
  at: string;
}

interface BenchState {
  results: Signal<Results | null>;
  /** They come from a link. */
  isGuest: Signal<boolean>;
  /** Null while nothing is measured. */
  progress: Signal<Progress | null>;
  said: Signal<string>;
  faults: Signal<readonly string[]>;
}

const titleOf = (name: string): string => caseOf(name)?.title ?? w.loading;

/** Measures all cases; the answer ends it. */
function begin(state: BenchState, quick: boolean): () => void {
  const { results, isGuest, progress, said, faults } = state;
  const start = performance.now();
  let ready = 0;
  const own: Results = {
    measured: [],
    machine: describeMachine(navigator.userAgent, navigator.hardwareConcurrency ?? 0),
    date: new Date().toISOString().slice(0, 10),
  };
  results.value = own;
  isGuest.value = false;
  faults.value = [];
  said.value = "";
  progress.value = { done: 0, at: "" };
  const next = (): void => {
    const was = progress.peek();
    if (was) progress.value = { ...was, done: was.done + 1 };
  };
  return startMeasuring(
    { names: cases.map(({ name }) => name), quick },
    {
      ready: (ms) => {
        ready = ms;
      },
      begun: (at) => {
        progress.value = { done: progress.peek()?.done ?? 0, at };
      },
      measured: (one: Measured) => {
        const before = results.peek() ?? own;
        results.value = { ...own, measured: [...before.measured, rounded(one)] };
        next();
      },
      failed: (name, why) => {
        faults.value = [...faults.peek(), w.failed(titleOf(name), why)];
        next();
      },
      done: () => {
        progress.value = null;
        said.value = w.done((performance.now() - start) / 1000, ready);
      },
    },
  );
}

async function copyLink(results: Results, said: Signal<string>): Promise<void> {
  const hash = `#${writeResults(results)}`;
  try {
    const { origin, pathname, search } = window.location;
    await navigator.clipboard.writeText(origin + pathname + search + hash);
    said.value = w.linkCopied;
  } catch {
    window.history.replaceState(null, "", hash);
    said.value = w.linkInBar;
  }
}

async function copyMarkdown(results: Results, said: Signal<string>): Promise<void> {
  try {
    await navigator.clipboard.writeText(markdownOf(results));
    said.value = w.markdownCopied;
  } catch {
    said.value = w.notCopied;
  }
}

function Sums({ measured }: { measured: readonly Measured[] }): JSX.Element | null {
  const ratios = measured.map(ratioOf).filter((ratio) => ratio !== null);
  const ratio = geometricMean(ratios);
  const share = geometricMean(measured.map(shareOf));
  if (ratio === null) return null;
  return (
    <dl class="bench-sums">
      <div>
        <dd>{w.mean(digits(ratio))}</dd>
        <dt>{w.meanNote(ratios.length)}</dt>
      </div>
      {share !== null && (
        <div>
          <dd>{w.share(percent(share))}</dd>
          <dt>{w.shareNote}</dt>
        </div>
      )}
    </dl>
  );
}

function ProgressBar({ progress }: { progress: Progress }): JSX.Element {
  const { done, at } = progress;
  return (
    <p class="bench-progress">
      <progress value={done} max={cases.length} aria-label={w.progress} />
      <span>{at ? w.running(titleOf(at), done, cases.length) : w.loading}</span>
    </p>
  );
}

function Tools({ state }: { state: BenchState }): JSX.Element {
  const { results, progress, said } = state;
  const quick = useSignal(false);
  const stop = useRef<() => void>(() => undefined);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => () => stop.current(), []);
  const isRunning = useComputed(() => progress.value !== null).value;
  const cancel = (): void => {
    stop.current();
    said.value = w.cancelled(progress.peek()?.done ?? 0, cases.length);
    progress.value = null;
    button.current?.focus();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && progress.peek()) cancel();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const shown = results.value?.measured.length ? results.value : null;
  return (
    <div class="bench-tools">
      <button
        type="button"
        ref={button}
        class={isRunning ? "primary cancel" : "primary"}
        onClick={() => {
          if (isRunning) cancel();
          else stop.current = begin(state, quick.peek());
        }}
      >
        {isRunning ? w.cancel : shown ? w.again : w.start}
      </button>
      <label title={w.quickHint}>
        <input
          type="checkbox"
          checked={quick.value}
          disabled={isRunning}
          onChange={(event) => {
            quick.value = event.currentTarget.checked;
          }}
        />
        {w.quick}
      </label>
      <span class="spring" />
      {shown && !isRunning && (
        <>
          <button type="button" onClick={() => void copyLink(shown, said)}>
            {w.copyLink}
          </button>
          <button type="button" onClick={() => void copyMarkdown(shown, said)}>
            {w.copyMarkdown}
          </button>
        </>
      )}
    </div>
  );
}

function useBenchState(): BenchState {
  const linked = readResults(window.location.hash);
  const state: BenchState = {
    results: useSignal<Results | null>(linked),
    isGuest: useSignal(linked !== null),
    progress: useSignal<Progress | null>(null),
    said: useSignal(""),
    faults: useSignal<readonly string[]>([]),
  };
  useEffect(() => {
    const onHash = (): void => {
      const found = readResults(window.location.hash);
      if (!found || state.progress.peek()) return;
      state.results.value = found;
      state.isGuest.value = true;
      state.said.value = "";
    };
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  return state;
}

function BenchPage(): JSX.Element {
  const state = useBenchState();
  const results = state.results.value;
  const measured = results?.measured ?? [];
  const origin = results && (state.isGuest.value ? w.guest : w.own)(results.machine, results.date);
  return (
    <div class="bench">
      <header>
        <h1>{w.title}</h1>
        <a href="./">{w.back}</a>
      </header>
      <main>
        <p class="muted">{w.intro}</p>
        <Tools state={state} />
        {state.progress.value && <ProgressBar progress={state.progress.value} />}
        <p role="status" class="bench-said">
          {state.said.value}
        </p>
        {state.faults.value.map((fault) => (
          <p key={fault} class="bench-fault">
            {fault}
          </p>
        ))}
        {origin && <p class={state.isGuest.value ? "bench-guest" : "muted"}>{origin}</p>}
        {measured.length === 0 && !state.progress.value && <p class="muted">{w.none}</p>}
        <Sums measured={measured} />
        {measured.length > 0 && (
          <>
            <Chart measured={measured} />
            <BenchTable measured={measured} />
            <p class="muted">{w.limitNote}</p>
          </>
        )}
      </main>
    </div>
  );
}

export function showBench(root: HTMLElement): void {
  const show = (): void => void showTheme(storedTheme());
  show();
  darkQuery.addEventListener("change", show);
  document.title = w.title;
  render(<BenchPage />, root);
}
