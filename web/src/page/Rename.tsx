/** Another name for what is under the cursor. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { notify, tellFailure } from "../app/actions";
import type { App } from "../app/app";
import { nameAtCursor, nameFault, rename, whyNotNamed } from "../app/editing";
import { editingWords as w } from "../app/editing_words";
import { Latest } from "../app/engines";
import { words } from "../strings";
import { Dialog } from "../ui/Dialog";

/** The dialog has the keys from the start, whatever the engine has heard of the text and the cursor. */
export function Rename({ app, onClose }: { app: App; onClose(): void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const name = useRef("");
  const [problem, setProblem] = useState("");
  const done = (): void => {
    onClose();
    setTimeout(() => app.editor?.focus(), 0);
  };
  useEffect(() => {
    let isOpen = true;
    input.current?.focus();
    const asked = nameAtCursor(app).then((found) => {
      if (!isOpen) return;
      if (found === null) {
        done();
        notify(app, w.noDefinition);
      } else if (input.current) {
        name.current = found;
        // Who types already has chosen another one.
        if (input.current.value !== "") return;
        input.current.value = found;
        input.current.select();
      }
    });
    tellFailure(app, asked);
    return () => {
      isOpen = false;
    };
  }, []);
  const ask = useMemo(() => new Latest((wanted: string) => whyNotNamed(app, wanted)), []);
  const typed = (): string => input.current?.value.trim() ?? "";
  /** What is wrong with the name is said while it is typed; whether it is taken, once the engine has looked. */
  const judge = (): void => {
    const wanted = typed();
    const isOther = wanted !== "" && wanted !== name.current;
    const fault = isOther ? nameFault(app, wanted) : null;
    setProblem(fault ?? "");
    if (!isOther || fault !== null) return;
    void ask.ask(wanted).then((why) => {
      if (why !== null && typed() === wanted) setProblem(why);
    });
  };
  const submit = async (): Promise<void> => {
    const wanted = typed();
    if (!wanted || wanted === name.current) return done();
    const refused = await rename(app, wanted);
    if (refused === null) done();
    else setProblem(refused);
  };
  return (
    <Dialog label={words.commands.rename} class="rename" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tellFailure(app, submit());
        }}
      >
        <label>
          <span>{w.renameLabel}</span>
          <input
            ref={input}
            class="mono"
            spellcheck={false}
            autocomplete="off"
            aria-invalid={problem !== ""}
            aria-describedby="rename-problem"
            onInput={judge}
          />
        </label>
        <button type="submit" class="primary">
          {w.renameGo}
        </button>
      </form>
      <p id="rename-problem" class="problem" role="alert" hidden={problem === ""}>
        {problem}
      </p>
    </Dialog>
  );
}
