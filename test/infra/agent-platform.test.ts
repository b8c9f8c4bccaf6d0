import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { describe, expect, test } from "vitest";
import { readManifest } from "../../build/project/read-manifest.ts";
import { AgentPlatform, type AgentPlatformProps, type Built } from "../../lib/agent-platform.ts";
import { BUNDLED_LATER, SETTINGS_METADATA } from "../../lib/functions/function-code.ts";
import { emptyManifest } from "../../shared/runtime/registry-manifest.ts";
import "../support/bundled.ts";
import { testProject } from "../support/test-registry.ts";

const { dist } = testProject;
const built: Built = { dist, needs: readManifest(dist)?.needs ?? emptyManifest.needs };
const issuer: AgentPlatformProps = {
  jwtIssuers: '[{"issuer":"https://example.com","jwks_uri":"https://example.com/keys"}]',
};
/** What another app may have in its context. */
const context = {
  "aws:cdk:disable-asset-staging": true,
  [BUNDLED_LATER]: true,
  theirs: "not ours",
  stage: "theirs",
};
/** The rules of the command line have a gate of their own, and take seconds. */
const quiet = () => {
  process.env.CDK_VALIDATION = "false";
  return new App({ context, analyticsReporting: false, treeMetadata: false });
};

describe("the platform as part of another app", () => {
  test("takes its settings as properties, and what it makes can be used by the app's own stacks", () => {
    const app = quiet();
    const platform = new AgentPlatform(
      app,
      "Agents",
      {
        ...issuer,
        stage: "prod",
        model: "scripted",
        max_attempts: 3,
      },
      built,
    );
    const own = new Stack(app, "Own");
    const role = new Role(own, "Reader", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    platform.tables.runs.grantReadData(role);
    platform.functions.runs?.grantInvoke(role);
    new CfnOutput(own, "Address", { value: platform.url });
    new CfnOutput(own, "Api", { value: platform.api.apiId });
    new CfnOutput(own, "Waiting", { value: platform.runQueue.queueArn });
    new CfnOutput(own, "Lost", { value: platform.deadLetters.queueArn });
    const { stacks } = app.synth();
    expect(stacks.map(({ stackName }) => stackName).toSorted()).toEqual([
      "Own",
      "agent-platform-prod",
      "agent-platform-prod-data",
    ]);
    const service = stacks.find(({ stackName }) => stackName === "agent-platform-prod");
    const settings = Object.values<{ Metadata?: Record<string, object> }>(
      service?.template.Resources,
    ).flatMap(({ Metadata }) => Metadata?.[SETTINGS_METADATA] ?? []);
    expect(settings).toContainEqual(expect.objectContaining({ MAX_ATTEMPTS: "3", MODEL: "scripted" }));
    const statements = JSON.stringify(stacks.find(({ stackName }) => stackName === "Own")?.template);
    expect(statements).toContain("dynamodb:GetItem");
    expect(statements).toContain("lambda:InvokeFunction");
    expect(platform.userPool).toBeUndefined();
  });

  test("a setting that is unknown is refused with the nearest name; the app's own context is not its business", () => {
    const misspelled = { ...issuer, stage: "prod", model: "scripted", maxAttempts: 3 };
    expect(() => new AgentPlatform(quiet(), "Agents", misspelled, built)).toThrow(
      "maxAttempts is no setting; did you mean max_attempts?",
    );
    expect(() => new AgentPlatform(quiet(), "Agents", { ...issuer, model: "scripted" }, built)).not.toThrow();
  });

  test("two stages are two platforms of one app", () => {
    const app = quiet();
    for (const stage of ["test", "prod"]) {
      new AgentPlatform(app, stage, { ...issuer, stage, model: "scripted" }, built);
    }
    expect(app.synth().stacks.map(({ stackName }) => stackName)).toHaveLength(4);
  });
});
