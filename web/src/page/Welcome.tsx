/** One sentence that says what this page is, until it was read. */
import type { JSX } from "preact";
import type { App } from "../app/app";
import { changeTaste } from "../app/taste";
import { words } from "../strings";
import { Icon } from "../ui/Icon";

export function Welcome({ app }: { app: App }): JSX.Element | null {
  if (app.state.taste.value.welcomed) return null;
  const label = words.app.understood;
  return (
    <section class="welcome" aria-label={words.app.aboutLabel}>
      <p>{words.app.about}</p>
      <button
        type="button"
        class="quiet"
        aria-label={label}
        title={label}
        onClick={() => changeTaste(app, { welcomed: true })}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
