/** Which of several inputs an array is that was dropped on the page. */
import type { JSX } from "preact";
import type { App } from "../app/app";
import { Dialog } from "../ui/Dialog";

const offerWords = {
  title: (file: string) => `Which input is ${file}?`,
  given: "has a file already",
};

export function Offer({ app, onClose }: { app: App; onClose(): void }): JSX.Element | null {
  const offered = app.state.offered.value;
  const parameters = app.state.check.value?.parameters ?? [];
  if (!offered) return null;
  const { name, fits, give } = offered;
  return (
    <Dialog label={offerWords.title(name)} class="picks" heading onClose={onClose}>
      <ul>
        {fits.map((at) => (
          <li key={at}>
            <button
              type="button"
              onClick={() => {
                onClose();
                give(at);
              }}
            >
              <b class="mono">{parameters[at]?.name}</b>
              <span>
                {parameters[at]?.shape || parameters[at]?.openType}
                {app.state.inputs.value[at]?.file && `, ${offerWords.given}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
