/** Time a handler is given to end what it does, before its function is stopped. */
const WIND_UP_MS = 1000;

/** Far longer than any function may live: contexts made by hand need not know a remaining time. */
const LONGEST_MS = 900_000;

/** How long a function will live. */
export const remainingMsOf = (context: { readonly getRemainingTimeInMillis?: () => number }): number =>
  context.getRemainingTimeInMillis?.() ?? LONGEST_MS;

/** Why work was stopped that nobody stopped: the function that does it is at its end. */
export class FunctionEnds extends Error {
  override readonly name = "FunctionEnds";
}

/**
 * Runs work under a signal that aborts shortly before the function's time is up.
 *
 * @param also  aborts the work as well, such as a client that went away
 */
export async function withDeadline<T>(
  context: { readonly getRemainingTimeInMillis?: () => number },
  work: (signal: AbortSignal) => Promise<T>,
  also?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController();
  const remainingMs = remainingMsOf(context);
  const timer = setTimeout(
    () => deadline.abort(new FunctionEnds("the function is about to end")),
    Math.max(0, remainingMs - WIND_UP_MS),
  );
  try {
    return await work(also ? AbortSignal.any([deadline.signal, also]) : deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
