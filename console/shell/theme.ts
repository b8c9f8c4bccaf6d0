import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const STORED_AS = "agent-platform.theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

const stored = (): Theme => {
  const theme = localStorage.getItem(STORED_AS);
  return theme === "light" || theme === "dark" ? theme : "system";
};

/** Sets the colours of the page, and follows the system's choice as long as the reader has made none. */
export function applyTheme(): void {
  const set = () => {
    const theme = stored();
    const isDark = theme === "dark" || (theme === "system" && systemDark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    for (const listener of listeners) listener();
  };
  systemDark.addEventListener("change", set);
  set();
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, theme);
  const isDark = theme === "dark" || (theme === "system" && systemDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored);

/** What is shown now. Changes with the reader's choice and with the system's. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === "dark");
