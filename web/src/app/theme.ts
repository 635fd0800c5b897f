/** Light and dark: the system's choice unless the person made one, which is remembered. */
import { words } from "../strings";
import { notify } from "./actions";
import type { App } from "./app";
import { type ThemeName, writable } from "./state";

const KEY = "hlo-theme";
/** Whether the system is dark. */
export const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");

/** What the person chose. */
export function storedTheme(): ThemeName {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

/** Shows a theme; says whether it is dark. */
export function showTheme(theme: ThemeName): boolean {
  const isDark = theme === "dark" || (theme === "system" && darkQuery.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  return isDark;
}

function applyTheme(app: App): void {
  const { theme, dark } = writable(app.state);
  dark.value = showTheme(theme.value);
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
  writable(app.state).theme.value = storedTheme();
  applyTheme(app);
  darkQuery.addEventListener("change", () => applyTheme(app));
}
