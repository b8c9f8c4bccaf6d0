/**
 * Waits for `work` or for the signal, whichever comes first, so that work which ignores its signal cannot hold up
 * a run that was stopped. What such work does later is not seen.
 *
 * @throws the signal's reason
 */
export async function untilStopped<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  // Also where nobody waits for it any more, a failure of it must not end the process.
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
