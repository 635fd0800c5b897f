/** Parts of the page that are fetched on first use. */
import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { words } from "../strings";
import { Empty } from "./Empty";

/**
 * Shows nothing while the part is loading; if it cannot be loaded, a message and a retry button. A
 * part that cannot be fetched twice is of an earlier version of the page than what is served now.
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P) => JSX.Element | null {
  const loaded = signal<ComponentType<P> | null>(null);
  const failed = signal(false);
  let failures = 0;
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
        failures++;
        failed.value = true;
      },
    );
  };
  return function Lazy(props: P): JSX.Element | null {
    const { notFetched, tryAgain, notFetchedAgain, reload } = words.app;
    if (failed.value) {
      return failures < 2 ? (
        <Empty sentence={notFetched} action={tryAgain} onAction={ask} />
      ) : (
        <Empty sentence={notFetchedAgain} action={reload} onAction={() => location.reload()} />
      );
    }
    ask();
    const Component = loaded.value;
    return Component ? <Component {...props} /> : null;
  };
}
