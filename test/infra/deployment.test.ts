import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Resource, synthesized } from "./synthesized.ts";

/** What a deployment holds that cannot be made again. */
const stateful = new Set([
  "AWS::Cognito::UserPool",
  "AWS::Cognito::UserPoolClient",
  "AWS::DynamoDB::GlobalTable",
  "AWS::KMS::Key",
  "AWS::S3::Bucket",
  "AWS::S3Vectors::VectorBucket",
]);

/** Properties that CloudFormation replaces a resource for, or that a deployment may not change in place. */
const identity: Readonly<Record<string, readonly string[]>> = {
  "AWS::DynamoDB::GlobalTable": ["TableName", "KeySchema"],
  "AWS::S3::Bucket": ["BucketName"],
  "AWS::S3Vectors::VectorBucket": ["VectorBucketName"],
  "AWS::Cognito::UserPool": ["UsernameAttributes", "AliasAttributes"],
  "AWS::Cognito::UserPoolClient": ["GenerateSecret"],
};

const identityOf = ({ type, properties }: Resource) =>
  Object.fromEntries(
    (identity[type] ?? []).flatMap((name) => (name in properties ? [[name, properties[name]]] : [])),
  );

/**
 * Every deployment of an earlier version has these. An entry that is changed or taken out here is a table, a bucket, a
 * key or a pool that the next deployment leaves behind or empties: then say in CHANGELOG.md how its data is brought over.
 * Something new is added here and stays.
 */
const deployed: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "stateful-resources.json"), "utf8"),
);

/** With everything that a deployment may bring. */
const app = await synthesized({
  stage: "prod",
  userPool: "true",
  customerKey: "true",
  alarmEmail: "ops@example.com",
  a2a: "true",
});
/** The console is a client of the pool too; it holds nothing, and goes with the service. */
const isConsole = ({ stack, type }: Resource): boolean =>
  stack === "agent-platform-prod" && type === "AWS::Cognito::UserPoolClient";
const found = app.resources.filter((resource) => stateful.has(resource.type) && !isConsole(resource));
/** Under another id it would empty the buckets of a stage that is in use; see `lib/storage/data-remover.ts`. */
const removals = (await synthesized({ stage: "dev" }))
  .ofType("AWS::CloudFormation::CustomResource")
  .filter(({ stack }) => stack.endsWith("-data"));

test("the next deployment finds every table, bucket, key and pool under the id and with the keys that it has", () => {
  const today = Object.fromEntries(
    [...found, ...removals].map((resource) => [
      `${resource.stack}/${resource.id}`,
      { type: resource.type, ...identityOf(resource) },
    ]),
  );
  expect(today).toEqual(deployed);
});

test("the last step asks the service at its address, when CloudFront and the routes are there", () => {
  const [check, ...others] = app
    .ofType("AWS::CloudFormation::CustomResource")
    .filter(({ properties }) => properties.Step === "check");
  expect(others).toEqual([]);
  expect(check?.properties.Address).toMatch(/^https:\/\/<Edge\w+>\.DomainName$/);
  const { template } = app.stacks.find(({ name }) => name === check?.stack) ?? {};
  const { DependsOn }: { DependsOn?: unknown } = Object(template?.Resources?.[check?.id ?? ""]);
  expect(DependsOn).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Edge/), expect.stringMatching(/^RoutesNested/)]),
  );
});

test("whether the database is new is looked at when every function is there", () => {
  const [look, ...others] = app
    .ofType("AWS::CloudFormation::CustomResource")
    .filter(({ properties }) => properties.Step === "version");
  expect(others).toEqual([]);
  expect(look?.properties.Queue).toMatch(/^<DeadLetters\w+>$/);
  const { template } = app.stacks.find(({ name }) => name === look?.stack) ?? {};
  const { DependsOn }: { DependsOn?: unknown } = Object(template?.Resources?.[look?.id ?? ""]);
  const functions = app.ofType("AWS::Lambda::Function").filter(({ stack }) => stack === look?.stack);
  expect(functions.length).toBeGreaterThan(0);
  expect(DependsOn).toEqual(expect.arrayContaining(functions.map(({ id }) => id)));
});

test("what cannot be made again outlives its stack, and can be deleted by no mistake", () => {
  for (const { id, type, removal, properties } of found) {
    // A client of the pool holds nothing; it goes with its pool.
    if (type === "AWS::Cognito::UserPoolClient") continue;
    expect(removal, id).not.toBe("Delete");
    if (type === "AWS::Cognito::UserPool") expect(properties.DeletionProtection).toBe("ACTIVE");
    if (type !== "AWS::DynamoDB::GlobalTable") continue;
    expect(properties.Replicas[0].DeletionProtectionEnabled, id).toBe(true);
  }
});

test("the stack that may be replaced at any time holds nothing of that kind", () => {
  expect(found.filter(({ stack }) => stack === "agent-platform-prod")).toEqual([]);
});

test("every name that a template gives begins with the project's own, as the policy asks for", () => {
  const names = ["TopicName", "DashboardName", "VectorBucketName", "QueueName", "RoleName", "FunctionName"];
  const given = app.resources
    .filter(({ type }) => type !== "AWS::Lambda::EventSourceMapping")
    .flatMap(({ properties }) => names.flatMap((name) => properties[name] ?? []))
    .filter((name) => typeof name === "string" && !name.includes("<"));
  expect(given.length).toBeGreaterThan(0);
  expect(given.filter((name) => !name.startsWith("agent-platform-"))).toEqual([]);
  for (const { stack } of app.resources) expect(stack).toMatch(/^agent-platform-/);
});

test("CloudFront adds the managed security headers, HSTS among them, to every answer", () => {
  const [distribution] = app.ofType("AWS::CloudFront::Distribution");
  const { DefaultCacheBehavior: first, CacheBehaviors: others = [] } = Object(
    distribution?.properties.DistributionConfig,
  );
  // The id of AWS's SecurityHeadersPolicy.
  for (const { ResponseHeadersPolicyId } of [first, ...others])
    expect(ResponseHeadersPolicyId).toBe("67f7725c-6f97-4210-82d7-5512b31e9d03");
});
