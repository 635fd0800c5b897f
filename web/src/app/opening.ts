/**
 * What the page shows when it is opened, and on Back, Forward, another link or an example. What was
 * on the screen is saved first.
 */
import { FIRST_EXAMPLE, fetchExample, findExample } from "../examples";
import { words } from "../strings";
import { loadProgram, notify, type ProgramToLoad, run, showExample, tellFailure } from "./actions";
import type { App, WorkKeeper } from "./app";
import { Keeper } from "./keeper";
import { encodeText, type LinkState } from "./link";
import { DEFAULT_SETTINGS, isModest } from "./settings";
import {
  addressOf,
  namedLayout,
  readWithExample,
  showProgram,
  showViewState,
  toLinkState,
  viewState,
} from "./share";
import type { InputSpec } from "./state";
import { openStores } from "./store";
import { keptInputs, mayHaveWorks, rememberKey, type Taken } from "./work";

/** The keeper of a page. */
export function createKeeper(app: App): Keeper {
  const s = app.state;
  const { meanwhile, opened } = openStores();
  const kept = {
    work: () => ({
      text: s.text.peek(),
      cursor: s.cursor.peek(),
      inputs: keptInputs(s.inputs.peek()),
      settings: s.settings.peek(),
      ...app.keptTabs?.(s.fileTabs.peek()),
      example: toLinkState(app).example ?? "",
      ran: s.phase.peek() === "done" || s.phase.peek() === "failed",
      view: viewState(app),
    }),
    hash: () => addressOf(app),
    watch: () => {
      void [s.text.value, s.cursor.value, s.inputs.value, s.settings.value, s.phase.value];
      void [viewState(app), s.fileTabs.value];
    },
  };
  return new Keeper(app, opened, kept, meanwhile);
}

/** The page's address without the hash. */
const bare = (): string => window.location.pathname + window.location.search;

/** Starts an opening; the result tells whether no other one has started since. */
function newTurn(app: App): () => boolean {
  const turn = ++app.openTurn;
  return () => turn === app.openTurn;
}

function inputsOf({ work, files }: Taken): { inputs: InputSpec[]; lost: string[] } {
  const lost: string[] = [];
  const inputs = work.inputs.map(({ text, file }): InputSpec => {
    const bytes = file ? files.get(file.key) : undefined;
    if (file && !bytes) lost.push(file.name);
    if (!file || !bytes) return { text, file: null };
    rememberKey(bytes, file.key);
    return { text, file: { name: file.name, bytes } };
  });
  return { inputs, lost };
}

/** What a work needs to be shown. */
interface Restored {
  taken: Taken;
  program: ProgramToLoad;
  /** The names of input files that could not be kept. */
  lost: string[];
}

async function restoredFrom(app: App, taken: Taken): Promise<Restored> {
  const { work } = taken;
  const { inputs, lost } = inputsOf(taken);
  const kept = work.fileTabs;
  // A link names it instead of its text as long as both are as they were.
  await findExample(work.example ?? "").catch(() => null);
  const fileTabs = kept ? (await import("./kept_tabs")).restoredTabs(app, kept, work.text) : null;
  const program = {
    text: work.text,
    cursor: work.cursor,
    inputs,
    // A work that was kept by an earlier page has no settings of later ones.
    settings: { ...DEFAULT_SETTINGS, ...work.settings },
    fileTabs,
    ...(work.example ? { example: work.example } : {}),
  };
  return { taken, program, lost };
}

/** Restores a work as it was left. */
async function showWork(app: App, { taken, program, lost }: Restored): Promise<void> {
  const { work } = taken;
  // Undo goes back to what was written, not to the page before it had a text.
  const isFirst = app.state.text.peek() === "";
  loadProgram(app, isFirst ? { ...program, history: null } : program);
  if (work.ran && isModest(work.settings)) void run(app);
  if (lost.length > 0) notify(app, words.keeping.filesLost(lost.join(", ")), "error");
  // Restores the cursor, even if another instruction is selected.
  await showViewState(app, work.view);
  app.editor?.goTo([work.cursor, work.cursor], false);
}

/** Opens a link; one without a program shows the first example. */
async function showLink(app: App, hash: string, current: () => boolean): Promise<void> {
  const { state: read, problem } = await readWithExample(hash);
  if (!current()) return;
  // Asked first: what is saved from now on has the program and its layout, or neither.
  const shape = read.shape ?? (await namedLayout(app, read.params));
  if (!current()) return;
  const state: LinkState = shape === undefined ? read : { ...read, shape };
  const shown = await showProgram(app, state, current);
  if (!current()) return;
  const isEmpty = !shown && app.state.text.peek() === "";
  if (isEmpty && !(await saysLayout(app, state))) await showFirst(app, current);
  const fault = problem ?? (shown || state.example === undefined ? null : "example");
  if (fault && current()) notify(app, words.link.problems[fault], "error");
  if (current()) await showViewState(app, state);
}

async function showFirst(app: App, current: () => boolean): Promise<void> {
  const first = await fetchExample(FIRST_EXAMPLE.id);
  // If the user has started typing meanwhile, that is kept.
  app.editor?.report();
  if (!current() || !first || app.state.text.peek() !== "") return;
  showExample(app, first.example, first.text);
}

const saysProgram = ({ program, example }: LinkState): boolean =>
  program !== undefined || example !== undefined;

/** A link to a layout is about that, and about no program that the page may have. */
const saysLayout = async (app: App, { shape, params }: LinkState): Promise<boolean> =>
  shape !== undefined || (await namedLayout(app, params)) !== undefined;

/** The work to go on with when the page is opened; null for none: then the link counts. */
async function workFor(
  app: App,
  keeper: WorkKeeper,
  hash: string,
  named: string | null,
): Promise<Taken | null> {
  if (named) return keeper.find({ id: named });
  const { state, problem } = await readWithExample(hash);
  if (problem) return null;
  const isOther = saysProgram(state) || (await saysLayout(app, state));
  if (!mayHaveWorks()) return null;
  return keeper.find(isOther ? { hash } : "last");
}

/** An action to start without the restored work. */
function offerWithout(app: App, hash: string, taken: Taken): void {
  const text = taken.copied ? words.keeping.copied : words.keeping.restored;
  const act = (): void => void openFresh(app, hash);
  notify(app, text, "info", { label: words.keeping.withoutIt, act });
}

/** Opens the address without restoring a work; in a new history entry. */
async function openFresh(app: App, hash: string): Promise<void> {
  const current = newTurn(app);
  app.keeper?.leaveFor(hash || bare());
  const { state } = await readWithExample(hash);
  if (!current()) return;
  if (saysProgram(state) || (await saysLayout(app, state))) await showLink(app, hash, current);
  else {
    loadProgram(app, { text: "" });
    await showFirst(app, current);
    if (current()) await showViewState(app, state);
  }
}

/** The page is opened or reloaded; its editor may come later. */
export async function openPage(app: App): Promise<void> {
  const { hash } = window.location;
  const current = newTurn(app);
  const { keeper } = app;
  const named = Keeper.opened();
  const found = keeper ? await workFor(app, keeper, hash, named) : null;
  const taken = found && found.work.text.trim() !== "" ? found : null;
  const giveUp = (failed: unknown): never => {
    // The work stays as it was kept; what is written from now on is another.
    keeper?.goOn();
    keeper?.begin();
    throw failed;
  };
  const restored = taken && (await restoredFrom(app, taken).catch(giveUp));
  // If the user has started typing meanwhile, that is kept.
  app.editor?.report();
  const begun = app.state.text.peek() !== "";
  keeper?.goOn(begun ? undefined : taken?.work.id);
  keeper?.begin();
  if (begun || !current()) return;
  if (!taken || !restored) return showLink(app, hash, current);
  await showWork(app, restored);
  const { state } = await readWithExample(hash);
  if (named !== null || !current()) return;
  // For everything but the program, the address counts.
  if (!saysProgram(state) && (state.shape || Object.keys(state.params).length > 0)) {
    await showViewState(app, state);
  }
  // No notice for what is in the address anyway, or for an unchanged example.
  const isSame = state.program?.src === taken.work.text;
  if (!taken.work.example && !isSame) offerWithout(app, hash, taken);
}

/** Opens an example on request: Back returns to the previous work. */
export async function openExample(app: App, id: string): Promise<void> {
  const hash = `#ex=${encodeText(id)}`;
  const current = newTurn(app);
  // Fetched first: if that fails, nothing changes.
  const found = await fetchExample(id);
  if (!current()) return;
  if (!found) notify(app, words.link.problems.example, "error");
  else {
    const { example, text } = app.state;
    const isOwn = text.peek() !== "" && text.peek() !== example.peek()?.text;
    app.keeper?.leaveFor(hash);
    await showLink(app, hash, current);
    if (!isOwn || !current()) return;
    const act = (): void => window.history.back();
    notify(app, words.app.opened(found.example.title), "info", { label: words.app.undo, act });
  }
}

/** Navigation to another history entry, or to an address typed by the user. */
async function openEntry(app: App): Promise<void> {
  const current = newTurn(app);
  const { keeper } = app;
  const { hash } = window.location;
  const named = Keeper.named();
  void keeper?.leave();
  const taken = named ? await keeper?.find({ id: named }) : null;
  if (!current()) return;
  keeper?.goOn(taken?.work.id ?? named ?? undefined);
  const show = async (work: Taken): Promise<void> => {
    const restored = await restoredFrom(app, work);
    if (current()) await showWork(app, restored);
  };
  const shown = taken ? show(taken) : showLink(app, hash, current);
  await (keeper ? keeper.whileShowing(shown, current) : shown);
}

/** Follows the history: entries with a work, and typed addresses. */
export function followHistory(app: App): () => void {
  // The page's own entries have a state; others are recognised by their address alone.
  const open = (): void => tellFailure(app, openEntry(app));
  const onPop = (): void => {
    if (Keeper.named() !== null) open();
  };
  const onHash = (): void => {
    if (Keeper.named() === null) open();
  };
  window.addEventListener("popstate", onPop);
  window.addEventListener("hashchange", onHash);
  return () => {
    window.removeEventListener("popstate", onPop);
    window.removeEventListener("hashchange", onHash);
  };
}

/** A program from elsewhere (a file): in an entry of its own. Tells how to go back to the one before. */
export function openProgram(app: App, program: ProgramToLoad): () => void {
  newTurn(app);
  const { text, inputs, settings, example, cursor, fileTabs } = app.state;
  const before: ProgramToLoad = {
    ...{ text: text.peek(), inputs: inputs.peek(), settings: settings.peek() },
    ...{ example: example.peek()?.id ?? "", cursor: cursor.peek() },
    fileTabs: fileTabs.peek(),
  };
  app.keeper?.leaveFor(bare());
  loadProgram(app, program);
  return () => (app.keeper ? window.history.back() : loadProgram(app, before));
}
