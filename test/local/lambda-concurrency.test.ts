import { expect, test } from "vitest";
import { lambdaConcurrency } from "../../local/lambda/lambda-concurrency.ts";

test.each([
  [undefined, 16],
  ["", 16],
  ["1", 1],
  ["64", 64],
])("LAMBDA_CONCURRENCY=%s lets a thread serve %i invocations at a time", (LAMBDA_CONCURRENCY, expected) => {
  expect(lambdaConcurrency({ LAMBDA_CONCURRENCY })).toBe(expected);
});

test.each(["0", "-1", "1.5", "many"])("LAMBDA_CONCURRENCY=%s is refused", (LAMBDA_CONCURRENCY) => {
  expect(() => lambdaConcurrency({ LAMBDA_CONCURRENCY })).toThrow(/must be a whole number above 0/);
});
