/** The start of the page. */
import { render } from "preact";
import { EngineClient } from "../../wasm/client";
import { notify } from "./app/actions";
import type { App } from "./app/app";
import { Engines } from "./app/engines";
import { createKeeper, followHistory, openPage } from "./app/opening";
import { createState } from "./app/state";
import { startTheme } from "./app/theme";
import { listenForKeys } from "./commands/listen";
import { Page } from "./page/Page";
import { comparedSession, dialectSession, film, layoutSession } from "./views/registry";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/page.css";
import "./styles/lists.css";
import "./styles/values.css";
import "./styles/layout.css";
import "./styles/dialect.css";
import "./styles/film.css";
import "./styles/memory.css";
import "./styles/overlays.css";
import "./styles/narrow.css";

const spawn = (): Worker =>
  new Worker(new URL("../../wasm/worker.ts", import.meta.url), { type: "module" });

function start(): void {
  const app: App = {
    state: createState(),
    engines: new Engines(() => new EngineClient(spawn)),
    editor: null,
    keeper: null,
    runTurn: 0,
    openTurn: 0,
  };
  app.keeper = createKeeper(app);
  startTheme(app);
  listenForKeys(app);
  layoutSession.start(app);
  comparedSession.start(app);
  film.start(app, layoutSession);
  dialectSession.start(app);
  const onReady = (): void => {
    openPage(app).catch((error: Error) => notify(app, error.message, "error"));
    followHistory(app);
  };
  const root = document.getElementById("app");
  if (root) render(<Page app={app} onReady={onReady} />, root);
}

start();
