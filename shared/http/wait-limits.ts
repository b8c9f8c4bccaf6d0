import { remainingMsOf } from "./deadline.ts";

/**
 * When a run must be suspended, in milliseconds from now: after `yieldAfterMs` at its next checkpoint, after `abortAfterMs`
 * wherever it is.
 */
export type SuspendTimes = { readonly yieldAfterMs: number; readonly abortAfterMs: number };

/** How long the HTTP API or CloudFront waits for a whole answer, and for the end of a stream, from now on. */
export type WaitLimits = { readonly answer: SuspendTimes; readonly stream: SuspendTimes };

type Waiting = {
  /** How long the function will live. */
  readonly remainingMs: number;
  /** How long it has waited already, while the authorizer ran and the function started. */
  readonly waitedMs: number;
};

/** Enough for an authorizer and a function that both have to start; more means that the clocks differ. */
const MAX_WAITED_MS = 10_000;

/** @param event  carries the time at which API Gateway or the function URL received the request, in epoch milliseconds */
export function waitingOf(
  { requestContext }: { readonly requestContext: { readonly timeEpoch: number } },
  context: Parameters<typeof remainingMsOf>[0],
): Waiting {
  const passedMs = Date.now() - requestContext.timeEpoch;
  return {
    remainingMs: remainingMsOf(context),
    waitedMs: Math.min(MAX_WAITED_MS, Math.max(0, passedMs)),
  };
}

const before = (endMs: number, yieldAfterMs: number, abortAfterMs: number): SuspendTimes => ({
  yieldAfterMs: Math.max(0, endMs - yieldAfterMs),
  abortAfterMs: Math.max(0, endMs - abortAfterMs),
});

/** The HTTP API times out after 30 s; half a second is for the way back. */
const GATEWAY_MS = 29_500;

/**
 * Behind the HTTP API: 25 s for a function that has 29 and was ready at once.
 *
 * @source docs/interface/platform.md 4.1
 */
export function bufferedWaitLimits({ remainingMs, waitedMs }: Waiting): WaitLimits {
  const whole = before(Math.min(remainingMs, GATEWAY_MS - waitedMs), 4_000, 2_500);
  return { answer: whole, stream: whole };
}

/** CloudFront times out when an origin is silent for 60 s, and an answer that is not streamed is silent to its end. */
const SILENCE_MS = 60_000;

/** Behind a streaming function URL, where keep-alives fill a stream's silences. */
export function streamingWaitLimits({ remainingMs, waitedMs }: Waiting): WaitLimits {
  const silent = before(Math.min(remainingMs, SILENCE_MS - waitedMs), 10_000, 6_000);
  return { answer: silent, stream: before(remainingMs, 60_000, 15_000) };
}
