import { useSyncExternalStore } from "react";

/** Whether the platform answers; `offline` where the browser says that it has no network at all. */
export type Connection = "fine" | "unreachable" | "offline";

/** While nothing is reached, the platform is asked this often whether it is there again. */
const ASK_MS = 2_000;
/** The platform's, and the gateways' before it: this page's files may come while the API does not answer. */
const isAnswered = ({ status }: Response): boolean => status < 502 || status > 504;

let connection: Connection = "fine";
let asking: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Notes that a request was answered. */
export const reached = (): void => set("fine");

/** A platform on this machine is reached without a network: where it does not answer, that is not for want of one. */
const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

/** Notes that a request was not answered. The platform is asked until it answers. */
export const unreached = (): void => set(navigator.onLine || isHere ? "unreachable" : "offline");

function set(next: Connection): void {
  if (next === connection) return;
  connection = next;
  if (next === "fine") {
    clearInterval(asking);
    asking = undefined;
  } else asking ??= setInterval(() => void ask(), ASK_MS);
  for (const listener of listeners) listener();
}

async function ask(): Promise<void> {
  try {
    const response = await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(5 * ASK_MS) });
    if (isAnswered(response)) reached();
  } catch {
    unreached();
  }
}

// What the browser says is a reason to ask, and no more.
addEventListener("online", () => void ask());
addEventListener("offline", () => void ask());

/** Called when the connection is lost and when it is there again. @returns how to stop it */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Settles when the platform answers; at once where it does. */
export function connected(): Promise<void> {
  if (connection === "fine") return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onConnection(() => {
      if (connection !== "fine") return;
      stop();
      resolve();
    });
  });
}

export const connectionNow = (): Connection => connection;

export const useConnection = (): Connection => useSyncExternalStore(onConnection, connectionNow);
