import { expect, test } from "vitest";
import { freshness } from "../../build/bundles/build.ts";
import { testProject } from "../support/test-registry.ts";
import "../support/bundled.ts";

test("bundles that were just made match their sources: no start makes one again", () => {
  expect(freshness(testProject).stale).toEqual([]);
});
