/** When something that goes on must be put down: at its next resting place, and wherever it is. In milliseconds. */
export type PutDownTimes = { readonly restMs: number; readonly stopMs: number };

/** How long the front of a request waits for a whole answer, and for the end of a stream, counted from its arrival. */
export type Patience = { readonly answer: PutDownTimes; readonly stream: PutDownTimes };

const before = (endMs: number, restMs: number, stopMs: number): PutDownTimes => ({
  restMs: Math.max(0, endMs - restMs),
  stopMs: Math.max(0, endMs - stopMs),
});

/**
 * Behind the HTTP API, which gives up after 30 s: 25 s for a function that has 29.
 *
 * @param remainingMs  how long the function will live
 * @source design, section 3
 */
export function bufferedPatience(remainingMs: number): Patience {
  const whole = before(remainingMs, 4_000, 2_500);
  return { answer: whole, stream: whole };
}

/** CloudFront gives an origin up that is silent for 60 s, and an answer that is not streamed begins with its end. */
const SILENCE_MS = 60_000;

/** Behind a streaming door, where streams fill their silences themselves. @param remainingMs as above */
export function streamingPatience(remainingMs: number): Patience {
  const whole = before(remainingMs, 60_000, 15_000);
  const silent = before(Math.min(SILENCE_MS, remainingMs), 10_000, 6_000);
  return { answer: silent, stream: whole };
}
