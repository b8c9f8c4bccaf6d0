/**
 * Reads the parts of a stream until it ends. When the signal aborts, the stream is cancelled, which ends a pending
 * read; so one listener is enough for all parts.
 *
 * @throws the signal's reason
 */
export async function* readUntilStopped<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const reader = stream.getReader();
  // A stream that has failed already rejects the cancellation; the read reports why it failed.
  const cancel = () => reader.cancel(signal.reason).catch(() => undefined);
  const stop = () => void cancel();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
