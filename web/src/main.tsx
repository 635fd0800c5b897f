/** Entry point of the page. */
// Styles take effect in the order of imports: those of views come between what they share and what
// lies over them.
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/page.css";
import "./styles/shared.css";
import { render } from "preact";
import { EngineClient } from "../../wasm/client";
import { loadFacts, notify, placeCursor } from "./app/actions";
import { createApp } from "./app/app";
import { Engines } from "./app/engines";
import { createKeeper, followHistory, openPage } from "./app/opening";
import { startScreen } from "./app/screen";
import { startTaste } from "./app/taste";
import { startTheme } from "./app/theme";
import { spawnWorker } from "./app/worker";
import { listenForKeys } from "./commands/listen";
import { FIRST_EXAMPLE } from "./examples";
import { Page } from "./page/Page";
import { views } from "./views/registry";
import "./styles/overlays.css";
import "./styles/narrow.css";

/** Milliseconds after the opening until the engine is asked for what nothing waits for. */
const FACTS_MS = 500;

/** Until the browser had its turn: none of the parts of the start keeps it from a frame for long. */
const turn = (): Promise<void> => new Promise((later) => setTimeout(later));

async function start(): Promise<void> {
  await turn();
  // An address that says nothing leads to the first example, or to a work that says its view.
  const view = location.hash ? undefined : FIRST_EXAMPLE.view;
  const app = createApp(new Engines(() => new EngineClient(spawnWorker)), views, view);
  app.keeper = createKeeper(app);
  startTheme(app);
  startTaste(app);
  startScreen(app);
  for (const view of views) view.start?.(app);
  // The engine checks and runs the program while the page is drawn.
  openPage(app)
    .catch((error: Error) => notify(app, error.message, "error"))
    .finally(() => setTimeout(() => loadFacts(app), FACTS_MS));
  await turn();
  render(<Page app={app} onReady={() => placeCursor(app)} />, root);
  listenForKeys(app);
  followHistory(app);
}

const root = document.getElementById("app") as HTMLElement;
if (/^\?bench\b/.test(location.search))
  void import("./bench/BenchPage").then(({ showBench }) => showBench(root));
// Later (`turn`): whatever asks where it was called from would have this whole script read once more.
else void start();
