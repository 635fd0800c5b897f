import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { notify, showView, typeShape } from "../app/actions";
import type { App } from "../app/app";
import { startTyping } from "../app/typing";
import { createEditor } from "../editor/editor";
import { words } from "../strings";
import { dialectSession } from "../views/registry";

/** The editor, wired to the engine. `onReady` is called once it stands. */
export function EditorPane(props: { app: App; onReady(): void }): JSX.Element {
  const { app } = props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const onLayout = (layout: string): void => {
      typeShape(app, layout);
      showView(app, "layout");
      notify(app, words.editor.pastedLayout(layout));
    };
    const editor = createEditor(app, host.current, onLayout, dialectSession.pointer("program"));
    app.editor = editor;
    const stop = startTyping(app, editor);
    const stopFaults = app.state.runFaults.subscribe((faults) => {
      if (faults && !faults.run.ok) editor.runFaults(faults.text, faults.run.diagnostics);
    });
    props.onReady();
    return () => {
      stopFaults();
      stop();
      editor.destroy();
      app.editor = null;
    };
  }, []);
  return <div class="editor" ref={host} />;
}
