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
