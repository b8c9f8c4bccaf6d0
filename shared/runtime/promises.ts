/** Waits for all of them, also when outcome fails, so that none runs on unobserved. @throws the first error, in order */
export async function allSettled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/**
 * Does the work of each item, not all at once: an item starts, in order, when it may beside those that are at work. One
 * that may not is passed over until another has ended.
 *
 * @param mayStart  must allow an item that is alone
 * @returns the results in the order of the items
 * @throws  the first error, in order, once all have ended
 */
export function inTurn<T, R>(
  items: readonly T[],
  mayStart: (item: T, running: readonly T[]) => boolean,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const all = items.map((item) => ({ item, result: Promise.withResolvers<R>() }));
  const waiting = new Set(all);
  const running = new Set<T>();
  const start = () => {
    for (const one of waiting) {
      if (!mayStart(one.item, [...running])) continue;
      waiting.delete(one);
      running.add(one.item);
      const end = () => {
        running.delete(one.item);
        start();
      };
      const result = work(one.item);
      one.result.resolve(result);
      result.then(end, end);
    }
  };
  start();
  return allSettled(all.map(({ result }) => result.promise));
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

/** Does one thing after the other, in the order in which they are asked for; one that fails does not stop the next. */
export function inOrder(): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
