import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { notify, showShape } from "../app/actions";
import type { App } from "../app/app";
import { startTyping } from "../app/typing";
import type { Editor } from "../editor/editor";
import type { LinePointer } from "../editor/linked";
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

/** Connects the editor with the page and the engine; returns how to end that. */
function connect(app: App, editor: Editor): () => void {
  app.editor = editor;
  const stop = startTyping(app, editor);
  const stopFaults = app.state.runFaults.subscribe((faults) => {
    const { check, checkedText } = app.state;
    const known = check.peek();
    // Those of the last run go when another one begins.
    if (known) editor.checked(checkedText.peek(), known);
    if (faults && !faults.run.ok) editor.runFaults(faults.text, faults.run.diagnostics);
  });
  return () => {
    stopFaults();
    stop();
    editor.destroy();
    app.editor = null;
  };
}

/**
 * The editor, connected to the engine. It is a script of its own, which is fetched beside the page's
 * (`web/vite.config.ts`): the page is there, and the engine at work, before all of it is read.
 * `onReady` is called once it exists.
 */
export function EditorPane(props: { app: App; onReady(): void }): JSX.Element {
  const { app } = props;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop = (): void => undefined;
    let isGone = false;
    const onLayout = (layout: string): void => {
      showShape(app, layout);
      notify(app, words.editor.pastedLayout(layout));
    };
    import("../editor/editor").then(
      ({ createEditor }) => {
        if (isGone || !host.current) return;
        stop = connect(app, createEditor(app, host.current, onLayout, linePointer(app)));
        props.onReady();
      },
      () => notify(app, words.app.notFetched, "error"),
    );
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  const selected = app.state.fileTabs.value?.selected;
  const panel =
    selected === undefined
      ? {}
      : { role: "tabpanel" as const, "aria-labelledby": `program-panel-tab-${selected}` };
  return <div class="editor" id="program-panel" ref={host} {...panel} />;
}
