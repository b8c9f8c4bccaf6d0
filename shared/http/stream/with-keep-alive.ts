/** Longest silence of a stream. CloudFront times out after six times as long. */
export const SILENCE_MS = 10_000;
const KEEPALIVE = ": keepalive\n\n";

/**
 * Passes frames on and fills every silence with a comment, so that no proxy between us and the client closes the
 * stream as dead. Ends the source when the reader stops early. The interval is ours.
 *
 * @param silenceMs  longest time without a frame
 */
export async function* withKeepAlive(
  chunks: AsyncIterable<string>,
  silenceMs: number = SILENCE_MS,
): AsyncGenerator<string> {
  const source = chunks[Symbol.asyncIterator]();
  let pending = source.next();
  try {
    while (true) {
      const next = await withinTime(pending, silenceMs);
      if (next === undefined) {
        yield KEEPALIVE;
        continue;
      }
      if (next.done) return;
      yield next.value;
      pending = source.next();
    }
  } finally {
    // Not awaited: a source that waits for its next event would block the reader.
    void source.return?.().catch(() => {});
  }
}

/** Undefined when the time is up first. */
async function withinTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
