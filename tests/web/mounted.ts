/** A view in a page of its own, over an engine that answers at once. */
import type { App } from "../../web/src/app/app";
import { Engines } from "../../web/src/app/engines";
import { createState } from "../../web/src/app/state";
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
  const app = {
    state: createState(),
    engines: new Engines(create as unknown as ConstructorParameters<typeof Engines>[0]),
    editor,
    keeper: null,
    runTurn: 0,
    openTurn: 0,
  };
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  return { app, root };
}
