import { useSyncExternalStore } from "react";

/** A screen with its filters, under a name that a reader gave it. */
export type SavedView = { readonly name: string; readonly to: string };

const listeners = new Set<() => void>();
const keyOf = (user: string): string => `agent-platform.views.${user}`;
const read = (user: string): string => localStorage.getItem(keyOf(user)) ?? "[]";

/** The views of a reader, in this browser. @param user  whoever is signed in */
export function useSavedViews(user: string) {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      addEventListener("storage", listener);
      return () => {
        listeners.delete(listener);
        removeEventListener("storage", listener);
      };
    },
    () => read(user),
  );
  const views = viewsIn(text);
  const write = (next: readonly SavedView[]): void => {
    localStorage.setItem(keyOf(user), JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    /** Another one of the same name is replaced. */
    save: (view: SavedView) => write([...others(view.name), view]),
    remove: (name: string) => write(others(name)),
  };
}

function viewsIn(text: string): readonly SavedView[] {
  try {
    const given: unknown = JSON.parse(text);
    return Array.isArray(given) ? given.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (one: unknown): one is SavedView =>
  typeof one === "object" &&
  one !== null &&
  "name" in one &&
  typeof one.name === "string" &&
  "to" in one &&
  typeof one.to === "string" &&
  one.to.startsWith("/");
