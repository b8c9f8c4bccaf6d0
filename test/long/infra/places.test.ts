import { App, Stage } from "aws-cdk-lib";
import { afterEach, describe, expect, test } from "vitest";
import { AgentPlatform, type AgentPlatformProps, type Built } from "../../../lib/agent-platform.ts";
import { s3VectorsRegions } from "../../../lib/config/s3-vectors-regions.ts";
import { BUNDLED_LATER } from "../../../lib/functions/function-code.ts";
import { agentPlatformApp } from "../../../package/cdk.ts";
import { emptyManifest } from "../../../shared/runtime/registry-manifest.ts";
import { type Synthesized, synthesized } from "../../infra/synthesized.ts";
import { testProject, testRegistry } from "../../support/test-registry.ts";

process.env.CDK_VALIDATION = "false";
const built: Built = { dist: testProject.dist, needs: emptyManifest.needs };
const settings: AgentPlatformProps = {
  stage: "prod",
  model: "scripted",
  jwtIssuers: '[{"issuer":"https://example.com","jwks_uri":"https://example.com/keys"}]',
};
const context = { "aws:cdk:disable-asset-staging": true, [BUNDLED_LATER]: true };

/** The warnings of a platform in a region that the app names, and of one in an app with this context. */
function warningsIn(region: string | undefined, props: AgentPlatformProps = {}, more: object = {}): string[] {
  const app = new App({ context: { ...context, ...more }, analyticsReporting: false, treeMetadata: false });
  const stage = new Stage(app, "Stage", region === undefined ? {} : { env: { region } });
  new AgentPlatform(stage, "Agents", { ...settings, ...props }, built);
  return stage.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === "aws:cdk:warning")
    .map(({ data }) => String(data));
}

const { CDK_DEFAULT_REGION } = process.env;
afterEach(() => {
  if (CDK_DEFAULT_REGION === undefined) delete process.env.CDK_DEFAULT_REGION;
  else process.env.CDK_DEFAULT_REGION = CDK_DEFAULT_REGION;
});

describe("a region without S3 Vectors", () => {
  test("is refused where the app names it, with both ways out", () => {
    const refusal =
      /vectorStore: the default needs S3 Vectors, which was not in eu-south-1 on 2025-12-02; set -c vectorStore=dynamodb, or -c vectorStore=s3-vectors/;
    expect(() => warningsIn("eu-south-1")).toThrow(refusal);
    for (const vectorStore of ["dynamodb", "s3-vectors"] as const)
      expect(warningsIn("eu-south-1", { vectorStore })).toEqual([]);
  });

  test("is warned of where only the command line knows it, and nothing is said where it does not", () => {
    process.env.CDK_DEFAULT_REGION = "eu-south-1";
    expect(warningsIn(undefined)).toEqual([expect.stringMatching(/which was not in eu-south-1/)]);
    expect(warningsIn(undefined, { stage: "local" })).toEqual([]);
    process.env.CDK_DEFAULT_REGION = "eu-west-1";
    expect(warningsIn(undefined)).toEqual([]);
    delete process.env.CDK_DEFAULT_REGION;
    expect(warningsIn(undefined)).toEqual([]);
  });

  test("is none of those that have it", () => {
    expect(warningsIn("eu-central-1")).toEqual([]);
    expect(s3VectorsRegions).toHaveLength(new Set(s3VectorsRegions).size);
    for (const region of s3VectorsRegions) expect(region).toMatch(/^[a-z]{2}-[a-z]+-\d$/);
  });
});

describe("an account with few concurrent executions", () => {
  const concurrencyOf = ({ infos }: Synthesized): string[] =>
    infos.filter((info) => info.startsWith("Lambda:"));
  const advice =
    /may have 10 in all: ask Service Quotas for (\d+) or more, Concurrent executions \(L-B99A9384\)/;

  test("can take the default deployment, which reserves none; the synthesis says what to ask for", async () => {
    const app = await synthesized({ stage: "prod" });
    const reserving = app
      .ofType("AWS::Lambda::Function")
      .filter(({ properties }) => properties.ReservedConcurrentExecutions !== undefined);
    expect(reserving).toEqual([]);
    const consumers = app
      .ofType("AWS::Lambda::EventSourceMapping")
      .map(({ properties }) => properties.ScalingConfig.MaximumConcurrency);
    const most = consumers.reduce((sum, one) => sum + one, 0);
    const [info, ...others] = concurrencyOf(app);
    expect(others).toEqual([]);
    expect(info).toContain(`queues may take ${most} invocations at a time (worker_concurrency: 32)`);
    expect(advice.exec(info ?? "")?.[1]).toBe(String(most));
    expect(info).not.toContain("reserves");
  });

  test("gets a warning that it cannot reserve any, and how much it needs for that", async () => {
    const app = await synthesized({ stage: "prod", a2a: "true", streamConcurrency: "40" });
    expect(concurrencyOf(app).join()).toMatch(
      /streamConcurrency reserves 80, and Lambda keeps 100 for the rest: an account with less than 180 refuses/,
    );
  });

  test("gets no warning on one machine", async () => {
    expect(concurrencyOf(await synthesized({ stage: "local" }))).toEqual([]);
  });
});

test("a setting that is unknown is refused in the context of an app with nothing but the platform", () => {
  const app = { context: { ...context, workerConcurrency: 100 } };
  expect(() => agentPlatformApp({ ...settings, registry: testRegistry, app })).toThrow(
    "workerConcurrency is no setting; did you mean worker_concurrency?",
  );
});

describe("a setting that is misspelled in the context of an app with other values", () => {
  test("is warned of with the one that it may mean; other values are not the platform's business", () => {
    const warnings = warningsIn(undefined, {}, { workerConcurrency: 100, "max-attempts": 3, team: "shop" });
    expect(warnings.map((text) => text.replace(/ \[ack.*/, ""))).toEqual([
      "workerConcurrency is no setting and changes nothing; did you mean worker_concurrency?",
      "max-attempts is no setting and changes nothing; did you mean max_attempts?",
    ]);
  });
});
