/** Keys as commands name them: "Mod-Enter", "Shift-F12", "?". Mod is Command on a Mac. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** The name of the key that was pressed. */
export function keyName(event: KeyboardEvent, mac: boolean): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const parts: string[] = [];
  if (mac ? event.metaKey : event.ctrlKey) parts.push("Mod");
  if (event.altKey) parts.push("Alt");
  // A symbol that needs Shift on some keyboards ("?") is named without it.
  if (event.shiftKey && (key.length > 1 || /[a-z]/.test(key))) parts.push("Shift");
  return [...parts, key].join("-");
}

/** The key as shown to users: "Ctrl+Enter". */
export function keyLabel(key: string, mac: boolean): string {
  return key
    .split("-")
    .map((part) => {
      if (part === "Mod") return mac ? "⌘" : "Ctrl";
      if (part === "Escape") return "Esc";
      return part.length === 1 ? part.toUpperCase() : part;
    })
    .join("+");
}
