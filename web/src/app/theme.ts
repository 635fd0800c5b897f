/** Light and dark: the system's choice unless the person made one, which is remembered. */
import type { App } from "./app";
import type { ThemeName } from "./state";

const KEY = "hlo-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): ThemeName {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

export function applyTheme(app: App): void {
  const { theme } = app.state;
  const isDark = theme.value === "dark" || (theme.value === "system" && dark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  app.state.dark.value = isDark;
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // A page without storage forgets the choice.
  }
}

export function startTheme(app: App): void {
  app.state.theme.value = stored();
  applyTheme(app);
  dark.addEventListener("change", () => applyTheme(app));
}
