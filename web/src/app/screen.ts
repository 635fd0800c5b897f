/** Whether the screen is narrow: where it is, one part of the page is shown at a time. */
import type { App } from "./app";
import { writable } from "./state";

/** The style sheets say the same width. */
const NARROW = "(max-width: 820px)";

export function startScreen(app: App): void {
  const { narrow } = writable(app.state);
  const query = window.matchMedia(NARROW);
  narrow.value = query.matches;
  query.addEventListener("change", () => {
    narrow.value = query.matches;
  });
}
