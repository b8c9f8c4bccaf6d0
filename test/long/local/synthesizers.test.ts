import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openIdentity } from "../../../local/identity.ts";
import { appContext } from "../../../local/template/app-context.ts";
import { makeAhead } from "../../../local/template/make-ahead.ts";
import { coldSynthesizer, synthesize, warmSynthesizer } from "../../../local/template/synthesize.ts";
import "../../support/bundled.ts";
import { emptyManifest } from "../../../shared/runtime/registry-manifest.ts";
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

test("a project that sets nothing starts with the template that was made ahead, and it is the one it would make", async () => {
  const brought = join(folder, "brought");
  await makeAhead(brought);
  const identity = openIdentity(folder);
  const started = (made: typeof warm, cache: string, environment = {}) =>
    synthesize(appContext(identity, environment), join(folder, "out"), identity.publicParts, made, {
      registry: testRegistry,
      manifest: { ...emptyManifest, agents: ["assistant"], tools: ["roll_dice"] },
      folder: join(folder, cache),
      brought: cache === "taken" ? brought : join(folder, "nothing"),
    });
  const sources = warm.sources;
  const fails = { sources, synthesize: () => Promise.reject(new Error("it is made")) };
  expect(await started(fails, "taken")).toEqual(await started(warm, "made"));
  await expect(started(fails, "taken", { MAX_ATTEMPTS: "5" })).rejects.toThrow("it is made");
}, 180_000);
