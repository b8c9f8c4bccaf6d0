import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { coldSynthesizer, warmSynthesizer } from "../../../local/template/synthesize.ts";
import "../../support/bundled.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";
import { testRegistry } from "../../support/test-registry.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const order = (more: object = {}) => ({
  context: {
    stage: "local",
    model: "scripted",
    jwtIssuers: "[]",
    "aws:cdk:disable-asset-staging": true,
    "agent-platform:bundledLater": true,
    ...more,
  },
  outdir: join(folder, "cdk.out"),
  registry: testRegistry,
});

/** One for all tests: its thread loads the CDK once. */
const warm = warmSynthesizer();

test("a thread that has synthesized before gives the same templates as a new one", async () => {
  const others = [warm.synthesize(order({ lock_grace_seconds: "9" })), warm.synthesize(order())];
  const [other, again] = await Promise.all(others);
  expect(again).toEqual(await coldSynthesizer.synthesize(order()));
  expect(again).not.toEqual(other);
}, 180_000);

test("settings that cannot be used fail alone", async () => {
  const asked = [order({ lock_grace_seconds: "abc" }), order(), order({ max_attempts: "abc" })];
  const outcomes = await Promise.allSettled(asked.map(warm.synthesize));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(String("reason" in (outcomes[2] ?? {}) && Object(outcomes[2]).reason)).toContain("max_attempts");
});

test("a warm synthesizer reads the sources once", async () => {
  const { sources } = warmSynthesizer();
  expect(sources()).toBe(sources());
  expect(await sources()).toBe(await coldSynthesizer.sources());
});
