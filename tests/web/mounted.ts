/** A view in a page of its own, over an engine that answers at once. */
import { type App, createApp } from "../../web/src/app/app";
import { Engines } from "../../web/src/app/engines";
import { views } from "../../web/src/views/registry";
import { FakeEngine } from "./fake_engine";

/**
 * Where an application's views are rendered: the document holds nothing else. `called` hears of
 * every call of the engine.
 */
export function mountApp(
  editor: App["editor"] = null,
  called: (method: string) => void = () => undefined,
): { app: App; root: HTMLElement } {
  const create = () => {
    const engine = new FakeEngine();
    return {
      call: (method: keyof FakeEngine, args: unknown[]) => {
        called(method);
        return Promise.resolve(
          (engine[method] as (...a: unknown[]) => unknown).apply(engine, args),
        );
      },
      cancel: () => undefined,
    };
  };
  const engines = new Engines(create as unknown as ConstructorParameters<typeof Engines>[0]);
  const app = createApp(engines, views);
  app.editor = editor;
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  return { app, root };
}
