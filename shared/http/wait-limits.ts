import { remainingMsOf } from "./deadline.ts";

/** When something that goes on must be put down: at its next resting place, and wherever it is. In milliseconds. */
export type SuspendTimes = { readonly restMs: number; readonly stopMs: number };

/** How long the front of a request waits for a whole answer, and for the end of a stream, from now on. */
export type WaitLimits = { readonly answer: SuspendTimes; readonly stream: SuspendTimes };

type Waiting = {
  /** How long the function will live. */
  readonly remainingMs: number;
  /** How long the front has waited already, while the request was decided on and its function started. */
  readonly waitedMs: number;
};

/** An authorizer and a function may both have to start; what takes longer is a clock that differs from ours. */
const MOST_WAITED_MS = 10_000;

/** @param event  tells when its front received the request, in epoch milliseconds */
export function waitingOf(
  { requestContext }: { readonly requestContext: { readonly timeEpoch: number } },
  context: Parameters<typeof remainingMsOf>[0],
): Waiting {
  const passedMs = Date.now() - requestContext.timeEpoch;
  return {
    remainingMs: remainingMsOf(context),
    waitedMs: Math.min(MOST_WAITED_MS, Math.max(0, passedMs)),
  };
}

const before = (endMs: number, restMs: number, stopMs: number): SuspendTimes => ({
  restMs: Math.max(0, endMs - restMs),
  stopMs: Math.max(0, endMs - stopMs),
});

/** The HTTP API gives up after 30 s; half a second is for the way back. */
const GATEWAY_MS = 29_500;

/**
 * Behind the HTTP API: 25 s for a function that has 29 and was ready at once.
 *
 * @source design, section 3
 */
export function bufferedWaitLimits({ remainingMs, waitedMs }: Waiting): WaitLimits {
  const whole = before(Math.min(remainingMs, GATEWAY_MS - waitedMs), 4_000, 2_500);
  return { answer: whole, stream: whole };
}

/** CloudFront gives an origin up that is silent for 60 s, and an answer that is not streamed begins with its end. */
const SILENCE_MS = 60_000;

/** Behind a streaming door, where streams fill their silences themselves. */
export function streamingWaitLimits({ remainingMs, waitedMs }: Waiting): WaitLimits {
  const silent = before(Math.min(remainingMs, SILENCE_MS - waitedMs), 10_000, 6_000);
  return { answer: silent, stream: before(remainingMs, 60_000, 15_000) };
}
