import { expect, test } from "vitest";
import { freshness } from "../../build/bundles/build.ts";
import { testMetafiles } from "../support/test-metafiles.ts";
import { testProject } from "../support/test-registry.ts";
import "../support/bundled.ts";

test("bundles that were just made match their sources: no start makes one again", () => {
  expect(freshness(testProject).stale).toEqual([]);
});

test("no bundle has the manifest in it, with what only developers run and install", () => {
  const having = Object.entries(testMetafiles()).filter(([, { outputs }]) =>
    Object.values(outputs).some(({ inputs }) => (inputs["package.json"]?.bytesInOutput ?? 0) > 0),
  );
  expect(having.map(([name]) => name)).toEqual([]);
});
