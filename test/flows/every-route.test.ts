import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { families } from "../../shared/routes/index.ts";
import { askEveryRoute, type EveryRoute } from "../support/openapi/ask-every-route.ts";
import { operations } from "../support/openapi/document.ts";
import { startReachablePlatform } from "../support/openapi/reachable-platform.ts";
import { examplesFile } from "../support/openapi/recorded-examples.ts";
import type { TestPlatform } from "../support/platform.ts";

/**
 * The quick tier's look at the whole platform: every function is started from its bundle, and every route of every family
 * and protocol does once what its row's example says.
 */
let platform: TestPlatform;
let asked: EveryRoute;
beforeAll(async () => {
  platform = await startReachablePlatform();
  asked = await askEveryRoute(platform);
});
afterAll(() => platform.stop());

const rows = Object.values(families).flatMap((family) => Object.keys(family));

test("every row of the route table is in the interface description", () => {
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(rows.toSorted());
});

test("every route does what its example asks, answers as described, and gives a stranger nothing", () => {
  expect(asked.faults).toEqual([]);
});

test("the interface description shows what is answered today: `npm run record:examples`", () => {
  const recorded: typeof asked.examples = JSON.parse(readFileSync(examplesFile, "utf8"));
  const stale = Object.keys({ ...recorded, ...asked.examples }).filter(
    (operation) => JSON.stringify(recorded[operation]) !== JSON.stringify(asked.examples[operation]),
  );
  expect(stale.map((operation) => asked.examples[operation])).toEqual(
    stale.map((operation) => recorded[operation]),
  );
  expect(stale).toEqual([]);
});
