/** A button that opens a menu: arrow keys move, Escape closes and gives the focus back. */
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./Icon";
import { useOpen } from "./outside";

export interface MenuItem {
  id: string;
  label: string;
  hint?: string;
  disabled?: boolean;
  /** Of a switch: whether it is on. */
  checked?: boolean;
  act(): void;
}

interface MenuProps {
  id: string;
  label: string;
  /** Without one, the button is but an arrow. */
  icon?: IconName;
  items: MenuItem[];
}

/** The open menu. */
function MenuList(props: MenuProps & { onChoose(item: MenuItem): void }): JSX.Element {
  return (
    <div id={menuId(props)} class="menu-list" role="menu" aria-label={props.label}>
      {props.items.map((item) => (
        <button
          key={item.id}
          type="button"
          {...(item.checked === undefined
            ? { role: "menuitem" }
            : { role: "menuitemcheckbox", "aria-checked": item.checked })}
          tabIndex={-1}
          disabled={item.disabled}
          onClick={() => props.onChoose(item)}
        >
          <span>{item.label}</span>
          {item.hint && <kbd>{item.hint}</kbd>}
        </button>
      ))}
    </div>
  );
}

const menuId = ({ id }: MenuProps): string => `${id}-menu`;

export function Menu(props: MenuProps): JSX.Element {
  const { open, box } = useOpen();
  const button = useRef<HTMLButtonElement>(null);
  const entries = (): HTMLElement[] => [
    ...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? []),
  ];
  useLayoutEffect(() => {
    if (open.value) entries()[0]?.focus();
  }, [open.value]);
  const close = (): void => {
    open.value = false;
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open.value) {
      if (event.key !== "ArrowDown") return;
      open.value = true;
      event.preventDefault();
      return;
    }
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") open.value = false;
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the button and of the menu
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class="tool"
        title={props.label}
        aria-label={props.icon ? undefined : props.label}
        aria-haspopup="menu"
        aria-expanded={open.value}
        aria-controls={open.value ? menuId(props) : undefined}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        {props.icon && (
          <>
            <Icon name={props.icon} />
            <span class="tool-label">{props.label}</span>
          </>
        )}
        <Icon name="down" />
      </button>
      {open.value && (
        <MenuList
          {...props}
          onChoose={(item) => {
            close();
            item.act();
          }}
        />
      )}
    </div>
  );
}
