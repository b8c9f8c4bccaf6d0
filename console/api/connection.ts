import { useSyncExternalStore } from "react";

/** Whether the last request reached the platform. */
let isLost = false;
const listeners = new Set<() => void>();

export const reached = (): void => set(false);
export const unreached = (): void => set(true);

function set(lost: boolean): void {
  if (lost === isLost) return;
  isLost = lost;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnectionLost = (): boolean => useSyncExternalStore(subscribe, () => isLost);
