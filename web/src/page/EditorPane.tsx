import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { notify, openView, showShape } from "../app/actions";
import type { App } from "../app/app";
import { startTyping } from "../app/typing";
import { createEditor } from "../editor/editor";
import type { LinePointer } from "../editor/linked";
import { closingTooltips } from "../editor/tooltips";
import { words } from "../strings";
import { views } from "../views/registry";

/** Passes the line that is pointed at to the views that show what corresponds to it. */
function linePointer(app: App): LinePointer {
  const all = views.flatMap((view) => view.pointer?.(app) ?? []);
  return {
    hover: (line) => {
      for (const pointer of all) pointer.hover(line);
    },
    cursor: (line) => {
      for (const pointer of all) pointer.cursor(line);
    },
  };
}

/**
 * The editor, connected to the engine. `onReady` is called soon after it exists. It is a script of its own, which is fetched
 * and read beside the page's (`web/vite.config.ts`): the page is there, and the engine at work, before all of it is read.
 */
export function EditorPane(props: { app: App; onReady(): void }): JSX.Element {
  const { app } = props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const onLayout = (layout: string): void => {
      showShape(app, layout, openView);
      notify(app, words.editor.pastedLayout(layout));
    };
    const editor = createEditor(app, host.current, onLayout, linePointer(app));
    app.editor = editor;
    const stop = startTyping(app, editor);
    const stopFaults = app.state.runFaults.subscribe((faults) => {
      const { check, checkedText } = app.state;
      const known = check.peek();
      // Those of the last run go when another one begins.
      if (known) editor.checked(checkedText.peek(), known);
      if (faults && !faults.run.ok) editor.runFaults(faults.text, faults.run.diagnostics);
    });
    const stopTooltips = closingTooltips(host.current);
    // Making the editor keeps the browser long enough.
    const ready = setTimeout(props.onReady);
    return () => {
      clearTimeout(ready);
      stopTooltips();
      stopFaults();
      stop();
      editor.destroy();
      app.editor = null;
    };
  }, []);
  return <div class="editor-host" ref={host} />;
}
