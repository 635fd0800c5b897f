/** Entry point of the page. */
// Styles take effect in the order of imports: those of views come between what they share and what
// lies over them.
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/page.css";
import "./styles/shared.css";
import "./styles/lists.css";
import "./styles/grid.css";
import { render } from "preact";
import { EngineClient } from "../../wasm/client";
import { notify } from "./app/actions";
import { createApp } from "./app/app";
import { Engines } from "./app/engines";
import { createKeeper, followHistory, openPage } from "./app/opening";
import { startScreen } from "./app/screen";
import { startTaste } from "./app/taste";
import { startTheme } from "./app/theme";
import { listenForKeys } from "./commands/listen";
import { Page } from "./page/Page";
import { views } from "./views/registry";
import "./styles/overlays.css";
import "./styles/narrow.css";

const spawn = (): Worker =>
  new Worker(new URL("../../wasm/worker.ts", import.meta.url), { type: "module" });

function start(): void {
  const app = createApp(new Engines(() => new EngineClient(spawn)), views);
  app.keeper = createKeeper(app);
  startTheme(app);
  startTaste(app);
  startScreen(app);
  listenForKeys(app);
  for (const view of views) view.start?.(app);
  const onReady = (): void => {
    openPage(app).catch((error: Error) => notify(app, error.message, "error"));
    followHistory(app);
  };
  render(<Page app={app} onReady={onReady} />, root);
}

const root = document.getElementById("app") as HTMLElement;
if (/^\?bench\b/.test(location.search))
  void import("./bench/BenchPage").then(({ showBench }) => showBench(root));
else start();
