/** A page of its own for a test, whose engines are the built one. */
import { type App, createApp } from "../../web/src/app/app";
import { Engines } from "../../web/src/app/engines";
import { views } from "../../web/src/views/registry";
import { TestLink } from "./engine";

/** A page that is not rendered, and its workers: the first one answers about texts. */
export function makeApp(): { app: App; links: TestLink[] } {
  const links: TestLink[] = [];
  const engines = new Engines(() => {
    const link = new TestLink();
    links.push(link);
    return link;
  });
  return { app: createApp(engines, views), links };
}

/** The same, and where its views are rendered: the document holds nothing else. */
export function mountApp(editor: App["editor"] = null): {
  app: App;
  links: TestLink[];
  root: HTMLElement;
} {
  const made = makeApp();
  made.app.editor = editor;
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  return { ...made, root };
}
