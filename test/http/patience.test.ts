import { expect, test } from "vitest";
import { bufferedPatience, streamingPatience } from "../../shared/http/patience.ts";

const GATEWAY_MS = 30_000;
const CLOUDFRONT_MS = 60_000;
/** What is left of a function's life when its handlers are told to come to an end. */
const WIND_UP_MS = 1_000;

test("behind the HTTP API a run is put down after 25 s of 29, and cut off before the gateway gives up", () => {
  const { answer, stream } = bufferedPatience(29_000);
  expect(answer).toEqual(stream);
  expect(answer.restMs).toBe(25_000);
  expect(answer.stopMs).toBeGreaterThan(answer.restMs);
  expect(answer.stopMs).toBeLessThan(Math.min(GATEWAY_MS, 29_000 - WIND_UP_MS));
});

test("behind the streaming door an answer comes before CloudFront takes its silence for the end", () => {
  const { answer } = streamingPatience(900_000);
  expect(answer.restMs).toBe(50_000);
  expect(answer.stopMs).toBeGreaterThan(answer.restMs);
  expect(answer.stopMs).toBeLessThan(CLOUDFRONT_MS);
});

test("a stream lasts nearly as long as its function", () => {
  const { stream } = streamingPatience(900_000);
  expect(stream).toEqual({ restMs: 840_000, stopMs: 885_000 });
});

test("nobody waits for less than nothing", () => {
  expect(bufferedPatience(1_000).answer).toEqual({ restMs: 0, stopMs: 0 });
  expect(streamingPatience(1_000)).toEqual({
    answer: { restMs: 0, stopMs: 0 },
    stream: { restMs: 0, stopMs: 0 },
  });
});
