/** Time a handler gets to stop its work before Lambda stops the function. */
const WIND_UP_MS = 1000;

/** For contexts without a remaining time, such as those of tests: as long as any function may live. */
const LONGEST_MS = 900_000;

/** How long a function has left. */
export const remainingMsOf = (context: { readonly getRemainingTimeInMillis?: () => number }): number =>
  context.getRemainingTimeInMillis?.() ?? LONGEST_MS;

/** Reason of an abort that was not requested: the function's time is nearly up. */
export class FunctionTimeout extends Error {
  override readonly name = "FunctionTimeout";
}

/**
 * Runs work under a signal that aborts shortly before the function's time is up.
 *
 * @param also  a second signal that aborts the work, such as a client's disconnect
 */
export async function withDeadline<T>(
  context: { readonly getRemainingTimeInMillis?: () => number },
  work: (signal: AbortSignal) => Promise<T>,
  also?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  const remainingMs = remainingMsOf(context);
  const timer = setTimeout(
    () => deadline.abort(new FunctionTimeout("the function is about to end")),
    Math.max(0, remainingMs - WIND_UP_MS),
  );
  try {
    return await work(also ? AbortSignal.any([deadline.signal, also]) : deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
