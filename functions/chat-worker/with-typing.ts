import type { Held } from "./chat-worker-deps.ts";

/** Says that somebody is typing, again and again, until the work is done. That it cannot be said stops nothing. */
export async function withTyping<T>({ deps, port, message }: Held, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await port.showTyping(message).catch(() => undefined);
      await deps.clock.sleep(port.typingEveryMs, ended.signal).catch(() => undefined);
    }
  };
  const typing = loop();
  try {
    return await work();
  } finally {
    ended.abort();
    await typing;
  }
}
