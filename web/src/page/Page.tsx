/** The page: program and inputs on the left, views on the right; tabs only where it is narrow. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { resizePanes, showPart, showView, viewFor } from "../app/actions";
import type { App } from "../app/app";
import { openDropped } from "../app/later_files";
import { DEFAULT_PANES } from "../app/state";
import { isMac, keyLabel } from "../commands/keys";
import { findCommand } from "../commands/registry";
import { words } from "../strings";
import { keepFocus } from "../ui/kept_focus";
import { lazy } from "../ui/lazy";
import { Menu } from "../ui/Menu";
import { Splitter } from "../ui/Splitter";
import { Tabs } from "../ui/Tabs";
import { findView, views } from "../views/registry";
import { InputsPane } from "./InputsPane";
import { Overlays } from "./Overlays";
import { StatusBar } from "./StatusBar";
import { Toolbar } from "./Toolbar";
import { Welcome } from "./Welcome";

const EditorPane = lazy(async () => (await import("./EditorPane")).EditorPane);
// Fetched with the first dump.
const FileTabs = lazy(async () => (await import("./FileTabs")).FileTabs);

/** The view of a run says that there is something new in it, until it is opened. */
function newsOf(app: App): { id: string | null; news: string } {
  const { results, unseen } = app.state;
  const isUnseen = unseen.value !== null && unseen.value === results.value;
  return { id: isUnseen ? viewFor(app, "run") : null, news: words.values.unseen };
}

function viewTabs(app: App) {
  const { id: marked, news } = newsOf(app);
  return views.map(({ id, title, tab, icon }) => ({
    id,
    title: tab?.(app) ?? title,
    icon,
    ...(id === marked ? { news } : {}),
  }));
}

/** All views by name: not all of their tabs may be in sight. */
function ViewMenu({ app }: { app: App }): JSX.Element {
  const items = viewTabs(app).map(({ id, title }) => {
    const key = findCommand(`view-${id}`)?.keys[0];
    return {
      id,
      label: title,
      ...(key ? { hint: keyLabel(key, isMac()) } : {}),
      checked: id === app.state.view.value && app.state.part.value === "views",
      act: () => showView(app, id),
    };
  });
  return <Menu id="view-menu" label={words.app.allViews} items={items} />;
}

/** Where the editor comes: it is there before the editor is. */
function EditorPanel(props: { app: App; onReady(): void }): JSX.Element {
  const selected = props.app.state.fileTabs.value?.selected;
  const panel =
    selected === undefined
      ? {}
      : { role: "tabpanel" as const, "aria-labelledby": `program-panel-tab-${selected}` };
  return (
    <div class="editor" id="program-panel" {...panel}>
      <EditorPane {...props} />
    </div>
  );
}

/** On narrow screens the program and its inputs are tabs beside the views. */
function NarrowTabs({ app }: { app: App }): JSX.Element {
  const { part, view } = app.state;
  return (
    <div class="tab-row">
      <Tabs
        label={words.app.views}
        panel="parts"
        tabs={[
          { id: "program", title: words.app.program },
          { id: "inputs", title: words.app.inputs },
          ...viewTabs(app).map(({ icon, ...tab }) => tab),
        ]}
        selected={part.value === "views" ? view.value : part.value}
        onSelect={(id) => {
          if (id === "program" || id === "inputs") showPart(app, id);
          else showView(app, id);
        }}
      />
      <ViewMenu app={app} />
    </div>
  );
}

function ViewPane({ app }: { app: App }): JSX.Element {
  const view = findView(app.state.view.value) ?? views[0];
  const narrow = app.state.narrow.value;
  if (!view) return <div />;
  return (
    <section class="views" aria-label={words.app.views}>
      {!narrow && (
        <div class="tab-row">
          <Tabs
            label={words.app.views}
            panel="view-panel"
            tabs={viewTabs(app)}
            selected={view.id}
            onSelect={(id) => showView(app, id)}
          />
          <ViewMenu app={app} />
        </div>
      )}
      <div
        id="view-panel"
        class="view-panel"
        ref={keepFocus}
        {...(narrow ? {} : { role: "tabpanel", "aria-labelledby": `view-panel-tab-${view.id}` })}
      >
        <view.Component app={app} key={view.id} />
      </div>
    </section>
  );
}

function dropFiles(app: App) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    },
    // Before the editor, which would write the file where it is dropped.
    onDropCapture: (event: DragEvent) => {
      const data = event.dataTransfer;
      const target = event.target as Element;
      if (!data?.files.length || target.closest("[data-takes-files]")) return;
      event.preventDefault();
      event.stopPropagation();
      const row = target.closest<HTMLElement>("[data-parameter]");
      const parameter = row ? Number(row.dataset.parameter) : null;
      openDropped(app, data, parameter);
    },
  };
}

export function Page(props: { app: App; onReady(): void }): JSX.Element {
  const { app } = props;
  const part = app.state.part.value;
  const narrow = app.state.narrow.value;
  const { columns, rows } = app.state.panes.value;
  const title = app.state.title.value;
  useEffect(() => {
    document.title = title ? `${title} - ${words.title}` : words.title;
  }, [title]);
  return (
    <div
      class="page"
      data-part={narrow ? part : undefined}
      style={{ "--columns": `${columns * 100}%`, "--rows": `${rows * 100}%` }}
      {...dropFiles(app)}
    >
      <div>
        <Toolbar app={app} />
        {narrow && <Welcome app={app} />}
      </div>
      <main>
        {narrow && <NarrowTabs app={app} />}
        <div
          class="panes"
          id="parts"
          {...(narrow
            ? {
                role: "tabpanel",
                "aria-labelledby": `parts-tab-${part === "views" ? app.state.view.value : part}`,
              }
            : {})}
        >
          <div class="left">
            <div class="program">
              {!narrow && <Welcome app={app} />}
              {app.state.fileTabs.value && <FileTabs app={app} />}
              <EditorPanel app={app} onReady={props.onReady} />
            </div>
            <Splitter
              stacked
              share={rows}
              onMove={(share) => resizePanes(app, { rows: share })}
              initial={DEFAULT_PANES.rows}
              min={0.2}
              max={0.95}
              label={words.app.resizeRows}
            />
            <InputsPane app={app} />
          </div>
          <Splitter
            stacked={false}
            share={columns}
            onMove={(share) => resizePanes(app, { columns: share })}
            initial={DEFAULT_PANES.columns}
            min={0.2}
            max={0.8}
            label={words.app.resizeColumns}
          />
          <ViewPane app={app} />
        </div>
      </main>
      <StatusBar app={app} />
      <p id="grid-help" hidden>
        {words.grid.help}
      </p>
      <Overlays app={app} />
    </div>
  );
}
