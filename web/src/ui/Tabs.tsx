/** A row of tabs: arrow keys select a tab and its panel. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./Icon";

export interface Tab {
  id: string;
  title: string;
  /** The title as it is shown, where that is not its text alone. */
  label?: JSX.Element;
  hint?: string;
  icon?: IconName;
  /** What is new in its panel: a dot says that there is something. */
  news?: string;
}

interface TabsProps {
  label: string;
  tabs: Tab[];
  selected: string;
  /** Id of the panel; tabs are called `<panel>-tab-<id>`. */
  panel: string;
  onSelect(id: string): void;
}

export function Tabs(props: TabsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  // A row that does not fit scrolls.
  useEffect(() => {
    const tab = list.current?.querySelector("[aria-selected=true]");
    tab?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }, [props.selected]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = props.tabs.findIndex((tab) => tab.id === props.selected);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const edge = { Home: 0, End: props.tabs.length - 1 }[event.key];
    if (step === undefined && edge === undefined) return;
    event.preventDefault();
    const next = edge ?? (at + (step ?? 0) + props.tabs.length) % props.tabs.length;
    const tab = props.tabs[next];
    if (!tab) return;
    props.onSelect(tab.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label} ref={list} onKeyDown={onKeyDown}>
      {props.tabs.map((tab) => {
        const on = tab.id === props.selected;
        return (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${props.panel}-tab-${tab.id}`}
            aria-selected={on}
            aria-controls={props.panel}
            tabIndex={on ? 0 : -1}
            title={tab.hint}
            onClick={() => props.onSelect(tab.id)}
          >
            {tab.icon && <Icon name={tab.icon} />}
            <span>{tab.label ?? tab.title}</span>
            {tab.news && <span class="dot" role="img" aria-label={tab.news} title={tab.news} />}
          </button>
        );
      })}
    </div>
  );
}
