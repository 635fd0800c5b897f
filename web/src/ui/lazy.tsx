/** Parts of the page that are fetched on first use. */
import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { words } from "../strings";
import { Empty } from "./Empty";

/**
 * Shows nothing while the part is loading; if it cannot be loaded, a message and a retry button.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P) => JSX.Element | null {
  const loaded = signal<ComponentType<P> | null>(null);
  const failed = signal(false);
  let asked = false;
  const ask = (): void => {
    if (asked) return;
    asked = true;
    failed.value = false;
    load().then(
      (component) => {
        loaded.value = component;
      },
      () => {
        asked = false;
        failed.value = true;
      },
    );
  };
  return function Lazy(props: P): JSX.Element | null {
    if (failed.value) {
      return <Empty sentence={words.app.notFetched} action={words.app.tryAgain} onAction={ask} />;
    }
    ask();
    const Component = loaded.value;
    return Component ? <Component {...props} /> : null;
  };
}
