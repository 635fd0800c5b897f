import type { JSX } from "preact";
import type { App } from "../app/app";
import { downloads } from "../app/download";
import { isMac, keyLabel } from "../commands/keys";
import { commands, findCommand, perform } from "../commands/registry";
import { words } from "../strings";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { SettingsButton } from "./SettingsButton";

interface CommandButtonProps {
  app: App;
  id: string;
  class?: string;
  /** Icon only: the label is for screen readers. */
  compact?: boolean;
}

export function CommandButton(props: CommandButtonProps): JSX.Element | null {
  const { app } = props;
  const command = findCommand(props.id);
  if (!command) return null;
  const key = command.keys[0] ? keyLabel(command.keys[0], isMac()) : "";
  return (
    <button
      type="button"
      class={`tool ${props.class ?? ""}`}
      disabled={!command.enabled(app)}
      {...(command.pressed ? { "aria-pressed": command.pressed(app) } : {})}
      title={key ? `${command.label} (${key})` : command.label}
      aria-keyshortcuts={key.replace("Ctrl", "Control") || undefined}
      onClick={() => perform(app, command)}
    >
      {command.icon && <Icon name={command.icon} />}
      <span class={props.compact ? "visually-hidden" : "tool-label"}>{command.label}</span>
    </button>
  );
}

/** The download menu: the program in every format. */
function DownloadMenu({ app }: { app: App }): JSX.Element {
  const items = downloads.flatMap((what) => {
    const command = findCommand(what.id);
    if (!command) return [];
    const { id } = command;
    const act = (): void => perform(app, command);
    return [{ id, label: what.label, hint: what.extension, disabled: !command.enabled(app), act }];
  });
  return <Menu id="download" label={words.download.menu} icon="save" items={items} />;
}

/** How the program is shown: what is folded, whether lines are wrapped; and what a narrow toolbar has no room for. */
function TextMenu({ app }: { app: App }): JSX.Element {
  const items = commands
    .filter(({ inTextMenu, inWideToolbar }) =>
      inWideToolbar ? app.state.narrow.value : inTextMenu,
    )
    .map((command) => ({
      id: command.id,
      label: command.label,
      disabled: !command.enabled(app),
      ...(command.pressed ? { checked: command.pressed(app) } : {}),
      ...(command.keys[0] ? { hint: keyLabel(command.keys[0], isMac()) } : {}),
      act: () => perform(app, command),
    }));
  return <Menu id="text-menu" label={words.editor.menu} icon="outline" items={items} />;
}

function Mark(): JSX.Element {
  return (
    <svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <rect x="1" y="1" width="9" height="9" rx="1.500" class="mark-a" />
      <rect x="12" y="1" width="9" height="9" rx="1.500" class="mark-b" />
      <rect x="1" y="12" width="9" height="9" rx="1.500" class="mark-c" />
      <path
        d="M12 21l9-9M12 16.500l4.500-4.500M16.500 21l4.500-4.500M12.500 12.500h8v8h-8z"
        class="mark-d"
      />
    </svg>
  );
}

export function Toolbar({ app }: { app: App }): JSX.Element {
  const title = app.state.title.value;
  const running = app.state.phase.value === "running";
  return (
    <header class="toolbar">
      <h1>
        <Mark />
        <span class="brand">{words.title}</span>
        {title && <span class="link-title">{title}</span>}
      </h1>
      <div class="tools" role="toolbar" aria-label={words.app.toolbar}>
        {running ? (
          <CommandButton app={app} id="cancel" class="primary cancel" />
        ) : (
          <CommandButton app={app} id="run" class="primary" />
        )}
        <SettingsButton app={app} />
        <CommandButton app={app} id="examples" />
        <CommandButton app={app} id="open" />
        {commands
          .filter(({ inWideToolbar }) => inWideToolbar)
          .map(({ id }) => (
            <CommandButton key={id} app={app} id={id} class="wide-only" />
          ))}
        <TextMenu app={app} />
        <span class="spring" />
        <DownloadMenu app={app} />
        <CommandButton app={app} id="copy-link" />
        <CommandButton app={app} id="palette" compact />
        <CommandButton app={app} id="theme" compact />
        <CommandButton app={app} id="help" compact />
      </div>
    </header>
  );
}
