import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "../../shared/routes/index.ts";
import { operations } from "../support/openapi/document.ts";
import { fuzzOpenApi } from "../support/openapi/fuzz-open-api.ts";
import { startReachablePlatform } from "../support/openapi/reachable-platform.ts";
import type { TestPlatform } from "../support/platform.ts";

/**
 * The quick tier's look at the whole platform: every function is started from its bundle, and every route of every family
 * and protocol does once what its example says.
 */
let platform: TestPlatform;
beforeAll(async () => {
  platform = await startReachablePlatform();
});
afterAll(() => platform.stop());

const rows = Object.values(families).flatMap((family) => Object.keys(family));

test("every row of the route table is in the interface description", () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(rows.toSorted());
});

test("every route, asked as its example in the interface description, answers as described", async () => {
  const { findings, neverDone } = await fuzzOpenApi({
    ...{ url: platform.url, token: platform.adminToken, seed: 2026, rounds: 1 },
  });
  expect(findings).toEqual([]);
  expect(neverDone).toEqual([]);
});
