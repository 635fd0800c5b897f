/** The second layout of a comparison. */
import type { JSX } from "preact";
import { compareWith } from "../../app/actions";
import type { App } from "../../app/app";
import { Icon } from "../../ui/Icon";
import { misfit } from "./compare";
import { Faults } from "./Faults";
import type { LayoutSession } from "./session";
import { layoutWords } from "./words";

const FAULTS = "compared-faults";

interface CompareBarProps {
  app: App;
  session: LayoutSession;
  compared: LayoutSession;
}

export function CompareBar({ app, session, compared }: CompareBarProps): JSX.Element | null {
  const shape = app.state.comparedShape.value;
  if (shape === null) return null;
  const isWrong = compared.info.value?.ok === false;
  const problem = misfit(session.info.value, compared.info.value);
  return (
    <>
      <div class="shape-bar compare-bar">
        <input
          id="compared-shape"
          class="mono"
          type="text"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-label={layoutWords.compareWith}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? FAULTS : undefined}
          value={shape}
          onInput={(event) => compareWith(app, event.currentTarget.value)}
        />
        <button
          type="button"
          class="quiet"
          aria-label={layoutWords.endCompare}
          title={layoutWords.endCompare}
          onClick={() => compareWith(app, null)}
        >
          <Icon name="close" />
        </button>
      </div>
      {isWrong && compared.info.value ? (
        <Faults
          id={FAULTS}
          text={shape}
          faults={compared.info.value.diagnostics}
          onFix={(text) => compareWith(app, text)}
        />
      ) : null}
      {problem && compared.info.value?.ok && (
        <p class="misfit" role="status">
          {problem}
        </p>
      )}
    </>
  );
}
