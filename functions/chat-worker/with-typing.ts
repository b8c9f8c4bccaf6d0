import type { LeasedMessage } from "./chat-worker-deps.ts";

/** Shows the typing indicator until the work is done; a failure to show it is ignored. */
export async function withTyping<T>(
  { deps, port, message }: LeasedMessage,
  work: () => Promise<T>,
): Promise<T> {
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
