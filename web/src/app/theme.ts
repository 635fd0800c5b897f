/** Light and dark: the system's choice unless the person made one, which is remembered. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { type ThemeName, writable } from "./state";

const KEY = "hlo-theme";
const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): ThemeName {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

function applyTheme(app: App): void {
  const { theme, dark } = writable(app.state);
  const isDark = theme.value === "dark" || (theme.value === "system" && darkQuery.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  dark.value = isDark;
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // A page without storage forgets the choice.
  }
}

/** The next of system, light and dark. */
export function changeTheme(app: App): void {
  const { theme } = writable(app.state);
  theme.value = theme.value === "system" ? "light" : theme.value === "light" ? "dark" : "system";
  applyTheme(app);
  notify(app, words.commands.themes[theme.value]);
}

export function startTheme(app: App): void {
  writable(app.state).theme.value = stored();
  applyTheme(app);
  darkQuery.addEventListener("change", () => applyTheme(app));
}
