import { describe, expect, test } from "vitest";
import { tableNames } from "../../shared/settings/table-env.ts";
import { type Resource, synthesized } from "./synthesized.ts";

const whole = { userPool: "true", customerKey: "true", alarmEmail: "ops@example.com", a2a: "true" };
const prod = await synthesized({ stage: "prod", ...whole });
const dev = await synthesized({ stage: "dev", ...whole });

/** Deleted with its function, whatever is said of the version; see `lib/workers/worker-versions.ts`. */
const isVersion = ({ type }: Resource): boolean => type === "AWS::Lambda::Version";

/** What CloudFormation is refused to delete. */
const isProtected = ({ type, properties }: Resource): boolean =>
  (type === "AWS::DynamoDB::GlobalTable" && properties.Replicas[0].DeletionProtectionEnabled) ||
  (type === "AWS::Cognito::UserPool" && properties.DeletionProtection === "ACTIVE");

/** Properties by which a type is named in its account; that of a function is not its own there. */
const nameOf = ({ type, properties }: Resource): string | undefined =>
  properties[`${type.split("::")[2]?.replace("GlobalTable", "Table")}Name`] ?? properties.Name;

describe("a stage that keeps its data", () => {
  const kept = prod.resources.filter((resource) => resource.removal !== "Delete" && !isVersion(resource));

  test("leaves nothing under a name that its next deployment would give again", () => {
    expect(kept.length).toBeGreaterThan(50);
    const taken = kept.filter((resource) => !(nameOf(resource) ?? "<AWS::StackId>").includes("AWS::StackId"));
    expect(taken.map(({ type, id }) => `${type} ${id}`)).toEqual([]);
  });

  test("leaves nothing behind when its first deployment fails, but what cannot be deleted", () => {
    for (const resource of kept)
      expect(resource.removal, resource.id).toBe(isProtected(resource) ? "Retain" : "RetainExceptOnCreate");
  });

  test("has no function that could delete what it keeps", () => {
    expect(prod.resources.filter(({ type }) => type.endsWith("CustomResource"))).toEqual([]);
  });
});

describe("a stage whose data is disposable", () => {
  test("leaves nothing at all", () => {
    const left = dev.resources.filter((resource) => resource.removal !== "Delete" && !isVersion(resource));
    expect(left.map(({ id }) => id)).toEqual([]);
    expect(dev.resources.filter(isProtected)).toEqual([]);
  });

  test("empties both of its buckets before they are deleted, and nothing else", () => {
    const [removal, ...others] = dev.ofType("AWS::CloudFormation::CustomResource");
    expect(others).toEqual([]);
    expect(removal?.properties.ServiceToken).toMatch(/^<DataRemover\w+>\.Arn$/);
    const policy = dev.ofType("AWS::IAM::Policy").find(({ id }) => id.startsWith("DataRemoverRole"));
    const statements: { Action: string; Resource: string }[] = policy?.properties.PolicyDocument.Statement;
    const granted = statements
      .filter(({ Action }) => String(Action).startsWith("s3"))
      .map(({ Action, Resource }) => `${Action} ${Resource}`);
    expect(granted).toEqual([
      "s3:ListBucket <ObjectsA92BA4F1>.Arn",
      "s3:DeleteObject <ObjectsA92BA4F1>.Arn/*",
      "s3vectors:ListIndexes <Vectors>.VectorBucketArn",
      "s3vectors:DeleteIndex <Vectors>.VectorBucketArn/index/*",
    ]);
    const { template } = dev.stacks.find(({ name }) => name === "agent-platform-dev-data") ?? {};
    const made = template?.Resources?.[removal?.id ?? ""] as { DependsOn?: string[] } | undefined;
    expect(made?.DependsOn).toEqual(expect.arrayContaining(["ObjectsA92BA4F1", "Vectors"]));
  });

  test("on one machine needs none of it", async () => {
    const local = await synthesized({ stage: "local" });
    expect(local.ofType("AWS::CloudFormation::CustomResource")).toEqual([]);
  });
});

describe("what an earlier deployment kept", () => {
  const tables = Object.fromEntries(
    tableNames.map((name) => [name, `agent-platform-prod-data-${name}-1X2Y`]),
  );
  const key = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
  const retained = {
    tables,
    objects: "agent-platform-prod-data-objects-1x2y",
    vectors: "agent-platform-prod-0815",
    key,
  };
  const adopted = synthesized({ stage: "prod", customerKey: "true", retained: JSON.stringify(retained) });

  test("becomes part of the next one by its names, as an import needs it", async () => {
    const { ofType } = await adopted;
    const named = ofType("AWS::DynamoDB::GlobalTable");
    expect(named.map(({ properties }) => properties.TableName).sort()).toEqual(Object.values(tables).sort());
    // Whatever is imported must say what becomes of it.
    for (const { removal } of named) expect(removal).toBe("Retain");
    const [bucket] = ofType("AWS::S3::Bucket");
    expect(bucket).toMatchObject({
      properties: { BucketName: retained.objects },
      removal: "RetainExceptOnCreate",
    });
  });

  test("keeps the ids of its tables and of its bucket, so that later deployments find them", async () => {
    const idsOf = (app: typeof prod) =>
      ["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket"].flatMap((type) =>
        app.ofType(type).map(({ id }) => id),
      );
    expect(idsOf(await adopted)).toEqual(idsOf(prod));
  });

  test("is used where it can be no part of it: the vectors and the key", async () => {
    const { ofType, resources } = await adopted;
    expect([...ofType("AWS::S3Vectors::VectorBucket"), ...ofType("AWS::KMS::Key")]).toEqual([]);
    const [table] = ofType("AWS::DynamoDB::GlobalTable");
    expect(table?.properties.Replicas[0].SSESpecification).toEqual({ KMSMasterKeyId: key });
    const buckets = resources.flatMap(({ variables }) => variables.VECTOR_BUCKET ?? []);
    expect(new Set(buckets)).toEqual(new Set([retained.vectors]));
    const statements = JSON.stringify(ofType("AWS::IAM::Policy").map(({ properties }) => properties));
    expect(statements).toContain(`bucket/${retained.vectors}/index/*`);
  });

  test.each([
    [{ stage: "prod", retained: '{"tables":{"job":"x-x"}}' }, /retained/],
    [
      { stage: "prod", retained: '{"objects":"Not A Bucket"}' },
      /retained: objects: must be the name of a bucket/,
    ],
    [
      { stage: "dev", retained: '{"objects":"a-bucket"}' },
      /retained: the data of this stage goes with its stack/,
    ],
    [{ stage: "prod", retained: JSON.stringify({ key }) }, /retained: its key is used with customerKey=true/],
  ])("is refused where it cannot be meant: %j", async (context, reason) => {
    await expect(synthesized(context)).rejects.toThrow(reason);
  });
});
