/**
 * The parts of a stream until it ends. A read that is waiting when the signal fires is cut off by cancelling the
 * stream, so one listener serves the whole stream however many parts it has.
 *
 * @throws the signal's reason
 */
export async function* readUntilStopped<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const reader = stream.getReader();
  // A stream that broke already refuses to be cancelled; the read tells why it broke.
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
