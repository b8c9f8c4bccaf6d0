import { expect, test } from "vitest";
import { oldVersions } from "../../shared/domain/jobs/old-versions.ts";
import { synthesized } from "./synthesized.ts";

const app = await synthesized({ stage: "prod", workerRollout: "canary" });
const one = (type: string, of = app) => {
  const [found, ...others] = of.ofType(type);
  expect(others).toEqual([]);
  return found;
};

test("a new version of the worker gets a tenth for ten minutes, and goes back when it crashes", () => {
  const group = one("AWS::CodeDeploy::DeploymentGroup");
  expect(group?.properties).toMatchObject({
    DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent10Minutes",
    DeploymentStyle: { DeploymentType: "BLUE_GREEN", DeploymentOption: "WITH_TRAFFIC_CONTROL" },
    AutoRollbackConfiguration: { Enabled: true },
  });
  expect(group?.properties.AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
  const alarm = app.ofType("AWS::CloudWatch::Alarm").find(({ id }) => id.startsWith("WorkerRolloutAlarm"));
  expect(group?.properties.AlarmConfiguration).toMatchObject({
    Enabled: true,
    Alarms: [{ Name: `<${alarm?.id}>` }],
  });
});

test("the alarm watches the version that is deployed, through the alias, minute by minute", () => {
  const alarm = app.ofType("AWS::CloudWatch::Alarm").find(({ id }) => id.startsWith("WorkerRolloutAlarm"));
  const alias = one("AWS::Lambda::Alias");
  const dimensions: { Name: string; Value: string }[] = alarm?.properties.Dimensions;
  const named = Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));
  expect(named).toEqual({
    FunctionName: alias?.properties.FunctionName,
    Resource: `${alias?.properties.FunctionName}:live`,
    ExecutedVersion: alias?.properties.FunctionVersion,
  });
  expect(alarm?.properties).toMatchObject({
    ...{ MetricName: "Errors", Namespace: "AWS/Lambda", Statistic: "Sum", Period: 60 },
    ...{ EvaluationPeriods: 1, Threshold: 0, TreatMissingData: "notBreaching" },
  });
});

test("CloudFormation has CodeDeploy lead the alias over, which the queue calls", () => {
  const templates = app.stacks.flatMap(({ template }) => Object.entries(Object(template).Resources));
  const [id, alias] = templates.find(([, resource]) => Object(resource).Type === "AWS::Lambda::Alias") ?? [];
  const group = one("AWS::CodeDeploy::DeploymentGroup");
  expect(Object(alias).UpdatePolicy).toEqual({
    CodeDeployLambdaAliasUpdate: {
      ApplicationName: { Ref: one("AWS::CodeDeploy::Application")?.id },
      DeploymentGroupName: { Ref: group?.id },
    },
  });
  const mappings = app.ofType("AWS::Lambda::EventSourceMapping");
  expect(mappings.filter(({ properties }) => /:live$/.test(properties.FunctionName))).toHaveLength(1);
  expect(id).toMatch(/^WorkerAliaslive/);
});

test("the version that takes over is newer than the live one, so the sweeper leaves it alone meanwhile", () => {
  const published = [6, 7, 8].map((version) => ({ version: String(version), published_at: version }));
  expect(oldVersions(published, "7", 0, 1_000_000)).not.toContain("8");
});

test("without the setting everything takes over at once", async () => {
  const plain = await synthesized({ stage: "prod" });
  expect(plain.resources.filter(({ type }) => type.startsWith("AWS::CodeDeploy"))).toEqual([]);
  await expect(synthesized({ stage: "prod", workerRollout: "slowly" })).rejects.toThrow("workerRollout");
});
