import { expect, test } from "vitest";
import { bufferedWaitLimits, streamingWaitLimits, waitingOf } from "../../shared/http/wait-limits.ts";

const GATEWAY_MS = 30_000;
const CLOUDFRONT_MS = 60_000;
/** What is left of a function's life when its handlers are asked to end. */
const WIND_UP_MS = 1_000;

test("behind the HTTP API a run is handed off after 25 s of 29, and cut off before the gateway gives up", () => {
  const { answer, stream } = bufferedWaitLimits({ remainingMs: 29_000, waitedMs: 0 });
  expect(answer).toEqual(stream);
  expect(answer.yieldAfterMs).toBe(25_000);
  expect(answer.abortAfterMs).toBeGreaterThan(answer.yieldAfterMs);
  expect(answer.abortAfterMs).toBeLessThan(Math.min(GATEWAY_MS, 29_000 - WIND_UP_MS));
});

test("behind the streaming entry point an answer comes before CloudFront takes its silence for the end", () => {
  const { answer } = streamingWaitLimits({ remainingMs: 900_000, waitedMs: 0 });
  expect(answer.yieldAfterMs).toBe(50_000);
  expect(answer.abortAfterMs).toBeGreaterThan(answer.yieldAfterMs);
  expect(answer.abortAfterMs).toBeLessThan(CLOUDFRONT_MS);
});

test("a stream lasts nearly as long as its function", () => {
  const { stream } = streamingWaitLimits({ remainingMs: 900_000, waitedMs: 0 });
  expect(stream).toEqual({ yieldAfterMs: 840_000, abortAfterMs: 885_000 });
});

test("no handler waits for less than nothing", () => {
  expect(bufferedWaitLimits({ remainingMs: 1_000, waitedMs: 0 }).answer).toEqual({
    yieldAfterMs: 0,
    abortAfterMs: 0,
  });
  expect(streamingWaitLimits({ remainingMs: 1_000, waitedMs: 0 })).toEqual({
    answer: { yieldAfterMs: 0, abortAfterMs: 0 },
    stream: { yieldAfterMs: 0, abortAfterMs: 0 },
  });
});

test("what the front has waited while functions started is no longer there to be waited", () => {
  const waitedMs = 5_000;
  expect(waitedMs + bufferedWaitLimits({ remainingMs: 29_000, waitedMs }).answer.abortAfterMs).toBeLessThan(
    GATEWAY_MS,
  );
  expect(waitedMs + streamingWaitLimits({ remainingMs: 900_000, waitedMs }).answer.abortAfterMs).toBeLessThan(
    CLOUDFRONT_MS,
  );
});

test("a front's clock is believed within what functions take to start", () => {
  const waited = (timeEpoch: number) => waitingOf({ requestContext: { timeEpoch } }, {}).waitedMs;
  expect(waited(Date.now() + 60_000)).toBe(0);
  expect(waited(0)).toBe(10_000);
  const recent = waited(Date.now() - 3_000);
  expect(recent).toBeGreaterThanOrEqual(3_000);
  expect(recent).toBeLessThan(10_000);
});
