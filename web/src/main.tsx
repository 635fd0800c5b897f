/** The start of the page. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { EngineClient } from "../../wasm/client";
import type { App } from "./app/app";
import { Engines } from "./app/engines";
import { openLink, remember } from "./app/share";
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

/** The address bar follows when nothing was done for so long. */
const REMEMBER_MS = 700;

const spawn = (): Worker =>
  new Worker(new URL("../../wasm/worker.ts", import.meta.url), { type: "module" });

function rememberOnPause(app: App): void {
  const s = app.state;
  let timer = 0;
  effect(() => {
    // What a link holds; reading it here is what subscribes to it.
    void [s.text.value, s.inputs.value, s.settings.value, s.typedShape.value, s.view.value];
    void [s.comparedShape.value, film.open.value, film.frame.value, film.pins.value];
    void s.selection.value;
    clearTimeout(timer);
    timer = window.setTimeout(() => void remember(app), REMEMBER_MS);
  });
}

function start(): void {
  const app: App = {
    state: createState(),
    engines: new Engines(() => new EngineClient(spawn)),
    editor: null,
    runTurn: 0,
  };
  startTheme(app);
  listenForKeys(app);
  layoutSession.start(app);
  comparedSession.start(app);
  film.start(app, layoutSession);
  dialectSession.start(app);
  const open = (): void => void openLink(app, window.location.hash);
  const onReady = (): void => {
    openLink(app, window.location.hash).then(() => rememberOnPause(app));
    window.addEventListener("hashchange", open);
  };
  const root = document.getElementById("app");
  if (root) render(<Page app={app} onReady={onReady} />, root);
}

start();
