/** The files of a dump above the editor, and the list of all of them. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { App } from "../app/app";
import { dumpWords } from "../app/dump_words";
import { closeTab, openListed, selectTab } from "../app/file_tabs";
import { missingText } from "../app/kept_tabs";
import { shortened } from "../app/stages";
import { Dialog } from "../ui/Dialog";
import { Filter } from "../ui/Filter";
import { Icon } from "../ui/Icon";
import { Tabs } from "../ui/Tabs";
import { VirtualList } from "../ui/VirtualList";
import { StageTitle } from "./StageTitle";
import "./files.css";

export function FileTabs({ app }: { app: App }): JSX.Element | null {
  const listed = useSignal(false);
  const fileTabs = app.state.fileTabs.value;
  if (!fileTabs) return null;
  const { tabs, selected, files, missing = 0 } = fileTabs;
  const parts = shortened(tabs.map(({ title }) => title));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key of the tabs inside
    <div
      class="file-tabs"
      onKeyDown={(event) => {
        const onTab = (event.target as Element).getAttribute("role") === "tab";
        if (event.key === "Delete" && onTab) closeTab(app, selected);
      }}
    >
      <Tabs
        label={dumpWords.label}
        panel="program-panel"
        tabs={tabs.map(({ name, title }, at) => ({
          ...{ id: `${at}`, title, hint: name },
          label: <StageTitle parts={parts[at] ?? []} />,
        }))}
        selected={`${selected}`}
        onSelect={(id) => selectTab(app, Number(id))}
      />
      {tabs.length > 1 && (
        <button
          type="button"
          class="quiet"
          aria-label={dumpWords.close}
          title={dumpWords.close}
          onClick={() => closeTab(app, selected)}
        >
          <Icon name="close" />
        </button>
      )}
      {files.length + missing > 1 && (
        <button
          type="button"
          class="quiet"
          title={missingText(fileTabs)}
          onClick={() => (listed.value = true)}
        >
          {missing > 0
            ? dumpWords.allKept(files.length, files.length + missing)
            : dumpWords.all(files.length)}
        </button>
      )}
      {listed.value && <FileList app={app} close={() => (listed.value = false)} />}
    </div>
  );
}

/** All files of the dump, to choose from. */
function FileList({ app, close }: { app: App; close(): void }): JSX.Element {
  const filter = useSignal("");
  const fileTabs = app.state.fileTabs.value;
  const files = fileTabs?.files ?? [];
  const open = fileTabs?.tabs[fileTabs.selected]?.name;
  const at = useSignal(
    Math.max(
      0,
      files.findIndex(({ name }) => name === open),
    ),
  );
  const wanted = filter.value.trim().toLowerCase();
  const found = files.filter(({ name }) => name.toLowerCase().includes(wanted));
  const show = (index: number): void => {
    const entry = found[index];
    if (!entry) return;
    close();
    openListed(app, entry);
  };
  return (
    <Dialog label={dumpWords.label} heading class="file-list" onClose={close}>
      {fileTabs?.missing ? <p class="muted">{missingText(fileTabs)}</p> : null}
      <Filter label={dumpWords.filter} text={filter} />
      <VirtualList
        id="file-list"
        label={dumpWords.label}
        items={found}
        rowHeight={28}
        selected={Math.min(at.value, found.length - 1)}
        onSelect={(index) => {
          at.value = index;
        }}
        onOpen={show}
        row={({ name }) => <span class="mono">{name}</span>}
      />
    </Dialog>
  );
}
