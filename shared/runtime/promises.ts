/** Waits for all of them, also when outcome fails, so that none runs on unobserved. @throws the first error, in order */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/**
 * Waits for `work` or for the signal, whichever comes first, so that work which ignores its signal cannot hold up
 * a run that was stopped. What such work returns later is ignored.
 *
 * @throws the signal's reason
 */
export async function untilStopped<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  // A failure after the wait must not end the process as an unhandled rejection.
  Promise.resolve(work).catch(() => undefined);
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

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
